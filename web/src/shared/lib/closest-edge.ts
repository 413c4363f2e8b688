import type { CollisionDetection } from '@dnd-kit/core'

/**
 * Sorts the entries of a vertical list by how near their upper or lower edge is to that of the dragged entry. The
 * distance of centers fails where an open card is dragged, which is several times as tall as the others.
 */
export const closestEdge: CollisionDetection = ({ collisionRect, droppableRects, droppableContainers }) =>
  droppableContainers
    .flatMap((droppableContainer) => {
      const rect = droppableRects.get(droppableContainer.id)
      if (!rect) return []
      const value = Math.min(Math.abs(rect.top - collisionRect.top), Math.abs(rect.bottom - collisionRect.bottom))
      return [{ id: droppableContainer.id, data: { droppableContainer, value } }]
    })
    .sort((a, b) => a.data.value - b.data.value)
