/** A picture point is at `x + point * scale` of the stage, in CSS pixels. */
export type View = { scale: number; x: number; y: number }

export const MIN_ZOOM = 0.1
export const MAX_ZOOM = 20
/** Zoom factor of one wheel notch. */
export const WHEEL_FACTOR = 1.1
/** Pixels of one notch. Touchpads send smaller steps, which zoom less. */
const NOTCH = 100
const LINE = 100 / 3
const PAGE = 300
const MOBILE_ZOOM = 0.3
/** Below this width, and with touch, the device counts as mobile. */
export const MOBILE_BELOW = 768

type Size = { width: number; height: number }

const clamped = (scale: number) => Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, scale))

/** Zooms and keeps the point at `x`, `y` of the stage fixed. */
export function zoomAt(view: View, scale: number, x: number, y: number): View {
  const next = clamped(scale)
  const ratio = next / view.scale
  return { scale: next, x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio }
}

/** The zoom factor of a wheel event. `mode` is `deltaMode`: pixels, lines or pages. */
export function wheelFactor(delta: number, mode: number): number {
  const pixels = delta * (mode === 1 ? LINE : mode === 2 ? PAGE : 1)
  return WHEEL_FACTOR ** (-pixels / NOTCH)
}

function centerView(picture: Size, stage: Size, scale: number): View {
  const next = clamped(scale)
  return {
    scale: next,
    x: (stage.width - picture.width * next) / 2,
    y: (stage.height - picture.height * next) / 2,
  }
}

/** Fits the picture into the stage, without enlarging it. */
export function fitView(picture: Size, stage: Size): View {
  const room = 0.94
  return centerView(
    picture,
    stage,
    Math.min(1, (room * stage.width) / picture.width, (room * stage.height) / picture.height),
  )
}

export const opening = (picture: Size, stage: Size, mobile: boolean): View =>
  mobile ? centerView(picture, stage, MOBILE_ZOOM) : fitView(picture, stage)

export type StagePoint = { x: number; y: number }

/** The point of the stage that shows a point of the picture. */
export const toStage = ({ scale, x, y }: View, point: StagePoint): StagePoint => ({
  x: x + point.x * scale,
  y: y + point.y * scale,
})

/** The point of the picture at a point of the stage. */
export const toPicture = ({ scale, x, y }: View, at: StagePoint): StagePoint => ({
  x: (at.x - x) / scale,
  y: (at.y - y) / scale,
})

/** Distance that the keyboard's brush keeps from the edges of the stage. */
const MARGIN = 24

/** The view moved as little as needed to show a point of the stage; the same view if it is visible. */
export function revealed(view: View, at: StagePoint, stage: Size): View {
  const beyond = (value: number, room: number) =>
    Math.min(0, value - MARGIN) + Math.max(0, value - Math.max(MARGIN, room - MARGIN))
  const [right, down] = [beyond(at.x, stage.width), beyond(at.y, stage.height)]
  return right === 0 && down === 0 ? view : { ...view, x: view.x - right, y: view.y - down }
}

/** The view after two fingers moved. */
export function pinchZoom(view: View, before: [StagePoint, StagePoint], after: [StagePoint, StagePoint]): View {
  const middle = ([a, b]: [StagePoint, StagePoint]) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
  const apart = ([a, b]: [StagePoint, StagePoint]) => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y))
  const from = middle(before)
  const to = middle(after)
  const moved = { ...view, x: view.x + to.x - from.x, y: view.y + to.y - from.y }
  return zoomAt(moved, (view.scale * apart(after)) / apart(before), to.x, to.y)
}
