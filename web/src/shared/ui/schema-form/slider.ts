type Range = { min: number; max: number; step: number }

/** The steps of an arrow key: about a hundredth of the range, or one with Shift. */
function stepsOfArrow({ min, max, step }: Range): number {
  return Math.max(1, Math.ceil((max - min) / 100 / step - 1e-9))
}

type KeyPress = { key: string; shiftKey: boolean }
const DIRECTION: Record<string, number> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
}

/** The steps by which a key steps a slider. */
export function stepsOfKey({ key, shiftKey }: KeyPress, range: Range): number {
  const direction = DIRECTION[key] ?? 0
  return shiftKey ? Math.sign(direction) : direction * stepsOfArrow(range)
}

const digitsOf = (step: number) => {
  const [, part = '', exponent = '0'] = /^[^.e]*(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(step)) ?? []
  return Math.max(0, part.length - Number(exponent))
}

/**
 * The value `steps` steps away. Steps count from the minimum, as in ComfyUI; a value between two steps goes to the
 * next.
 */
export function valueAfterSteps(at: number, steps: number, { min, max, step }: Range): number {
  const now = (at - min) / step
  const base = steps > 0 ? Math.floor(now + 1e-6) : Math.ceil(now - 1e-6)
  const digits = Math.min(Math.max(digitsOf(step), digitsOf(min)), 20)
  const value = Number((min + (base + steps) * step).toFixed(digits))
  return Math.min(max, Math.max(min, value))
}
