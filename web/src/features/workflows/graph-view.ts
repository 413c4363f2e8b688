import type { Box, Drawing } from './graph-layout'

/** The visible part of a drawing, in its own units. */
export type View = { x: number; y: number; width: number; height: number }
type Point = { x: number; y: number }

/** Zoom limits, as units across. */
const MIN_WIDTH = 200
const MAX_WIDTH = 40_000
/** Minimum area shown around a requested node, so that its neighbours are visible. */
const MIN_AREA = { width: 760, height: 520 }

export const fullView = ({ x, y, width, height }: Drawing): View => ({ x, y, width, height })

/** A readable view with the node at its centre. */
export function viewAround(box: Box): View {
  const width = Math.max(MIN_AREA.width, box.width * 1.4)
  const height = Math.max(MIN_AREA.height, box.height * 1.4)
  return { x: box.x + box.width / 2 - width / 2, y: box.y + box.height / 2 - height / 2, width, height }
}

/** Zooms by a factor; the point stays fixed. */
export function zoomBy(view: View, factor: number, at: Point = middleOf(view)): View {
  const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, view.width / factor))
  const share = width / view.width
  return {
    x: at.x - (at.x - view.x) * share,
    y: at.y - (at.y - view.y) * share,
    width,
    height: view.height * share,
  }
}

const middleOf = ({ x, y, width, height }: View): Point => ({ x: x + width / 2, y: y + height / 2 })

export const pan = (view: View, dx: number, dy: number): View => ({ ...view, x: view.x - dx, y: view.y - dy })

/** Drawing units per pixel, so that the whole view is visible. */
export const unitsPerPixel = (view: View, stage: { width: number; height: number }): number =>
  Math.max(view.width / Math.max(stage.width, 1), view.height / Math.max(stage.height, 1))

/** The drawing position of a stage point. */
export function pointAt(view: View, stage: { width: number; height: number }, point: Point): Point {
  const units = unitsPerPixel(view, stage)
  const middle = middleOf(view)
  return { x: middle.x + (point.x - stage.width / 2) * units, y: middle.y + (point.y - stage.height / 2) * units }
}
