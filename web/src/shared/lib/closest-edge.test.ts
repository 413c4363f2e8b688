import type { ClientRect, DroppableContainer, UniqueIdentifier } from '@dnd-kit/core'
import { expect, it } from 'vitest'
import { closestEdge } from './closest-edge'

const rect = (top: number, height: number): ClientRect => ({
  top,
  height,
  bottom: top + height,
  left: 0,
  right: 300,
  width: 300,
})

/** Two closed cards around an open one. */
const rects = new Map<UniqueIdentifier, ClientRect>([
  ['first', rect(0, 60)],
  ['open', rect(70, 500)],
  ['last', rect(580, 60)],
])

const nearest = (collisionRect: ClientRect) =>
  closestEdge({
    active: {} as never,
    collisionRect,
    droppableRects: rects,
    droppableContainers: [...rects.keys(), 'unmeasured'].map((id) => ({ id }) as DroppableContainer),
    pointerCoordinates: null,
  }).map(({ id }) => id)

it('puts an open card at the place of the card whose edge it has reached', () => {
  expect(nearest(rect(70, 500))[0]).toBe('open')
  expect(nearest(rect(0, 500))[0]).toBe('first')
  expect(nearest(rect(140, 500))[0]).toBe('last')
})

it('puts a closed card at the place of an open one, and leaves out entries without a place', () => {
  expect(nearest(rect(50, 60))[0]).toBe('open')
  expect(nearest(rect(510, 60))).toEqual(['open', 'last', 'first'])
})
