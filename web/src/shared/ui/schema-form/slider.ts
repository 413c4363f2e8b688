type Range = { min: number; max: number; step: number }

/** How many steps an arrow key goes: about a hundredth of the range, and one step with Shift. */
function stepsOfArrow({ min, max, step }: Range): number {
  return Math.max(1, Math.ceil((max - min) / 100 / step - 1e-9))
}

type Press = { key: string; shiftKey: boolean }
const DIRECTION: Record<string, number> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
}

/** How many steps a key moves a slider, up or down. */
export function movesOf({ key, shiftKey }: Press, range: Range): number {
  const direction = DIRECTION[key] ?? 0
  return shiftKey ? Math.sign(direction) : direction * stepsOfArrow(range)
}

const digitsOf = (step: number) => {
  const [, part = '', exponent = '0'] = /^[^.e]*(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(step)) ?? []
  return Math.max(0, part.length - Number(exponent))
}

/** The value so many steps away. Steps count from the least value, as in ComfyUI; a value between two goes to the next. */
export function moved(at: number, moves: number, { min, max, step }: Range): number {
  const now = (at - min) / step
  const base = moves > 0 ? Math.floor(now + 1e-6) : Math.ceil(now - 1e-6)
  const digits = Math.min(Math.max(digitsOf(step), digitsOf(min)), 20)
  const value = Number((min + (base + moves) * step).toFixed(digits))
  return Math.min(max, Math.max(min, value))
}
