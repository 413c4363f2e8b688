import {
  type Announcements,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '@/shared/lib/class-names'
import { closestEdge } from '@/shared/lib/closest-edge'
import { reordered } from '@/shared/lib/reordered'
import { Icon } from './icon'
import styles from './sortable-list.module.css'

type SortableListProps<T extends { _id: string }> = {
  label: string
  items: T[]
  nameOf: (item: T) => string
  /** Saves the new order. The list shows it until the promise settles, and the old order if it fails. */
  onOrder: (ids: string[]) => Promise<unknown>
  render: (item: T, handle: ReactNode) => ReactNode
  className?: string | undefined
}

/** A list sorted by drag handles: with pointer, touch or keyboard. */
export function SortableList<T extends { _id: string }>(props: SortableListProps<T>) {
  const { label, items, nameOf, onOrder, render, className } = props
  const { t } = useTranslation()
  const [pending, setPending] = useState<string[] | null>(null)
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 150, tolerance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const shown = pending ? items.toSorted((a, b) => pending.indexOf(a._id) - pending.indexOf(b._id)) : items
  const ids = shown.map((item) => item._id)
  const end = ({ active, over }: DragEndEvent) => {
    if (!over || active.id === over.id) return
    const order = reordered(ids, String(active.id), String(over.id))
    setPending(order)
    onOrder(order)
      .catch(() => undefined)
      .finally(() => setPending(null))
  }
  const name = (id: unknown) => {
    const item = items.find((one) => one._id === id)
    return item ? nameOf(item) : ''
  }
  const place = (id: unknown) => ids.indexOf(String(id)) + 1
  const announcements: Announcements = {
    onDragStart: ({ active }) => t('order.lifted', { name: name(active.id) }),
    onDragOver: ({ over }) => (over ? t('order.over', { place: place(over.id) }) : undefined),
    onDragEnd: ({ over }) => (over ? t('order.placed', { place: place(over.id) }) : undefined),
    onDragCancel: () => t('order.back'),
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestEdge}
      onDragEnd={end}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t('order.help') } }}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ul className={classNames(styles.list, className)} aria-label={label}>
          {shown.map((item) => (
            <Row key={item._id} id={item._id} label={t('order.move', { name: nameOf(item) })}>
              {(handle) => render(item, handle)}
            </Row>
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  )
}

type RowProps = { id: string; label: string; children: (handle: ReactNode) => ReactNode }

function Row({ id, label, children }: RowProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  })
  const handle = (
    <button
      ref={setActivatorNodeRef}
      type="button"
      className={styles.handle}
      {...attributes}
      {...listeners}
      aria-label={label}
    >
      <Icon name="grip" size={20} />
    </button>
  )
  return (
    <li
      ref={setNodeRef}
      className={classNames(isDragging && styles.dragging)}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      {children(handle)}
    </li>
  )
}
