/** How a picture is seen: a point of it lies at `x + point * scale` of the stage, in CSS pixels. */
export type View = { scale: number; x: number; y: number }

export const MIN_ZOOM = 0.1
export const MAX_ZOOM = 20
/** One notch of a wheel. */
export const WHEEL_FACTOR = 1.1
/** How far a notch goes, in pixels. Touchpads go in small steps and zoom by as much less. */
const NOTCH = 100
const LINE = 100 / 3
const PAGE = 300
export const MOBILE_ZOOM = 0.3
/** A phone or small tablet: narrower than this, and touched. */
export const MOBILE_BELOW = 768

type Size = { width: number; height: number }

const clamped = (scale: number) => Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, scale))

/** The view at another zoom; what lies at `x`, `y` of the stage stays there. */
export function zoomed(view: View, scale: number, x: number, y: number): View {
  const next = clamped(scale)
  const ratio = next / view.scale
  return { scale: next, x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio }
}

/** How much a turn of the wheel zooms. `mode` is `deltaMode`: pixels, lines or pages. */
export function wheelFactor(delta: number, mode: number): number {
  const pixels = delta * (mode === 1 ? LINE : mode === 2 ? PAGE : 1)
  return WHEEL_FACTOR ** (-pixels / NOTCH)
}

/** The picture in the middle of the stage at this zoom. */
export function centred(picture: Size, stage: Size, scale: number): View {
  const next = clamped(scale)
  return {
    scale: next,
    x: (stage.width - picture.width * next) / 2,
    y: (stage.height - picture.height * next) / 2,
  }
}

/** As much as fits, and not larger than it is. */
export function fitted(picture: Size, stage: Size): View {
  const room = 0.94
  return centred(
    picture,
    stage,
    Math.min(1, (room * stage.width) / picture.width, (room * stage.height) / picture.height),
  )
}

/** How a picture is seen first. */
export const opening = (picture: Size, stage: Size, mobile: boolean): View =>
  mobile ? centred(picture, stage, MOBILE_ZOOM) : fitted(picture, stage)

type Spot = { x: number; y: number }

/** The view after two fingers went from some places to others. */
export function pinched(view: View, before: [Spot, Spot], after: [Spot, Spot]): View {
  const middle = ([a, b]: [Spot, Spot]) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
  const apart = ([a, b]: [Spot, Spot]) => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y))
  const from = middle(before)
  const to = middle(after)
  const moved = { ...view, x: view.x + to.x - from.x, y: view.y + to.y - from.y }
  return zoomed(moved, (view.scale * apart(after)) / apart(before), to.x, to.y)
}
