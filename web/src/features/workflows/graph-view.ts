import type { Box, Drawing } from './graph-layout'

/** What of a drawing is in sight, in its own units. */
export type View = { x: number; y: number; width: number; height: number }
type Point = { x: number; y: number }

/** As near, and as far, as one may go, in units across. */
const NEAREST = 200
const FURTHEST = 40_000
/** Around a node that was asked for stands this much, so that its neighbours are seen too. */
const AROUND = { width: 760, height: 520 }

export const wholeOf = ({ x, y, width, height }: Drawing): View => ({ x, y, width, height })

/** The view with a node in its middle, large enough to be read. */
export function around(box: Box): View {
  const width = Math.max(AROUND.width, box.width * 1.4)
  const height = Math.max(AROUND.height, box.height * 1.4)
  return { x: box.x + box.width / 2 - width / 2, y: box.y + box.height / 2 - height / 2, width, height }
}

/** Nearer by the factor (farther below 1); the point keeps its place. */
export function zoomed(view: View, factor: number, at: Point = middleOf(view)): View {
  const width = Math.min(FURTHEST, Math.max(NEAREST, view.width / factor))
  const share = width / view.width
  return {
    x: at.x - (at.x - view.x) * share,
    y: at.y - (at.y - view.y) * share,
    width,
    height: view.height * share,
  }
}

const middleOf = ({ x, y, width, height }: View): Point => ({ x: x + width / 2, y: y + height / 2 })

export const panned = (view: View, dx: number, dy: number): View => ({ ...view, x: view.x - dx, y: view.y - dy })

/** Units of the drawing for one pixel of a stage of this size: all of the view is in sight. */
export const unitsPerPixel = (view: View, stage: { width: number; height: number }): number =>
  Math.max(view.width / Math.max(stage.width, 1), view.height / Math.max(stage.height, 1))

/** Where a point of the stage, from its upper left corner, lies in the drawing. */
export function pointAt(view: View, stage: { width: number; height: number }, point: Point): Point {
  const units = unitsPerPixel(view, stage)
  const middle = middleOf(view)
  return { x: middle.x + (point.x - stage.width / 2) * units, y: middle.y + (point.y - stage.height / 2) * units }
}
