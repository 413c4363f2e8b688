import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMedia } from '@/shared/lib/use-media'
import { Button } from '@/shared/ui/button'
import { Sheet } from '@/shared/ui/sheet'
import { SortableList } from '@/shared/ui/sortable-list'
import { EmptyState } from '@/shared/ui/states'
import { useEditor } from '../editor-context'
import { keysInOrder, orderInputs, orderOutputs } from '../model'
import type { Setup } from '../types'
import { AddPanel } from './add-panel'
import type { Spot } from './api-editor'
import styles from './detail-tab.module.css'
import { InputCard } from './input-card'
import { OutputCard } from './output-card'

type Part = keyof Setup
/** From here on there is room for what can be added beside what is chosen. */
const ROOM = '(min-width: 1400px)'

/** What is chosen, in the order of the form, and how each shows. What can be added opens beside it. */
export default function DetailTab({ pressed }: { pressed: Spot }) {
  const { t } = useTranslation('workflowApi')
  const wide = useMedia(ROOM)
  const [adding, setAdding] = useState<Part | null>(null)
  const opened = useOpened(pressed)
  const addButtons = useRef<Partial<Record<Part, HTMLButtonElement | null>>>({})
  const close = () => {
    setAdding(null)
    if (adding) addButtons.current[adding]?.focus()
  }
  const add = (part: Part) => (
    <Button
      ref={(node) => {
        addButtons.current[part] = node
      }}
      size="small"
      icon="plus"
      aria-expanded={adding === part}
      onClick={() => (adding === part ? close() : setAdding(part))}
    >
      {t(`detail.add.${part}`)}
    </Button>
  )
  const panel = adding && <AddPanel key={adding} part={adding} onClose={wide ? close : undefined} />
  return (
    <div className={wide && adding ? styles.beside : undefined}>
      <div className={styles.lists}>
        <EntryList part="inputs" add={add('inputs')} opened={opened} />
        <EntryList part="outputs" add={add('outputs')} opened={opened} />
      </div>
      {wide ? (
        panel
      ) : (
        <Sheet open={adding !== null} onClose={close} title={adding ? t(`detail.add.${adding}`) : ''}>
          {panel}
        </Sheet>
      )}
    </div>
  )
}

type EntryListProps = { part: Part; add: ReactNode; opened: Opened }

function EntryList({ part, add, opened }: EntryListProps) {
  const { t } = useTranslation('workflowApi')
  const { setup, change } = useEditor()
  const keys = part === 'inputs' ? keysInOrder(setup.inputs) : keysInOrder(setup.outputs)
  const nameOf = ({ _id: key }: { _id: string }) =>
    (part === 'inputs' ? setup.inputs[key]?.adapter.name : setup.outputs[key]?.name) || key
  const order = async (next: string[]) =>
    change((now) => (part === 'inputs' ? orderInputs(now, next) : orderOutputs(now, next)))
  return (
    <section className={styles.list} aria-labelledby={`api-${part}-chosen`}>
      <div className={styles.head}>
        <h2 id={`api-${part}-chosen`} className={styles.heading}>
          {t(`detail.${part}`)}
          <span>{keys.length}</span>
        </h2>
        {add}
      </div>
      {keys.length === 0 ? (
        <EmptyState
          icon={part === 'inputs' ? 'edit' : 'picture'}
          title={t(`detail.none.${part}`)}
          text={t(`detail.noneText.${part}`)}
        />
      ) : (
        <SortableList
          label={t(`detail.${part}`)}
          items={keys.map((_id) => ({ _id }))}
          nameOf={nameOf}
          onOrder={order}
          render={({ _id: key }, handle) => {
            const place = `${part}.${key}`
            const card = { entryKey: key, handle, open: opened.has(place), onToggle: () => opened.toggle(place) }
            return part === 'inputs' ? <InputCard {...card} /> : <OutputCard {...card} />
          }}
        />
      )}
    </section>
  )
}

/** Which cards are open: the first at the beginning, and those of a node that is pressed in the drawing. */
function useOpened(pressed: Spot) {
  const { setup } = useEditor()
  const [open, setOpen] = useState<ReadonlySet<string>>(() => {
    const [first] = keysInOrder(setup.inputs)
    return new Set(first ? [`inputs.${first}`] : [])
  })
  const latest = useRef(setup)
  latest.current = setup
  useEffect(() => {
    if (!pressed) return
    const { inputs, outputs } = latest.current
    const mine = [
      ...Object.keys(inputs).flatMap((key) => (inputs[key]?.id === pressed.node ? [`inputs.${key}`] : [])),
      ...Object.keys(outputs).flatMap((key) => (key === pressed.node ? [`outputs.${key}`] : [])),
    ]
    setOpen((before) => new Set([...before, ...mine]))
  }, [pressed])
  return {
    has: (place: string) => open.has(place),
    toggle: (place: string) => setOpen((before) => toggled(before, place)),
  }
}

type Opened = ReturnType<typeof useOpened>

function toggled(set: ReadonlySet<string>, item: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(item)) next.add(item)
  return next
}
