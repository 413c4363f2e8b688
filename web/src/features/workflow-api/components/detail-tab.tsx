import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMedia } from '@/shared/lib/use-media'
import { Button } from '@/shared/ui/button'
import { Sheet } from '@/shared/ui/sheet'
import { SortableList } from '@/shared/ui/sortable-list'
import { EmptyState } from '@/shared/ui/states'
import { useEditor } from '../editor-context'
import {
  changeAdapter,
  type InputChange,
  keysInOrder,
  orderInputs,
  orderOutputs,
  removeInput,
  typeWord,
} from '../model'
import type { Setup } from '../types'
import { AdapterFields } from './adapter-fields'
import { AddPanel } from './add-panel'
import type { NodeFocus } from './api-editor'
import styles from './detail-tab.module.css'
import { type CardProps, EntryCard } from './entry-card'
import { OutputCard } from './output-card'

type Part = keyof Setup
/** From this width on the panel fits beside the list. */
const WIDE_ENOUGH = '(min-width: 1400px)'

/** The chosen inputs and outputs in the order of the form. The panel to add more opens beside them. */
export default function DetailTab({ pressed }: { pressed: NodeFocus }) {
  const { t } = useTranslation('workflowApi')
  const wide = useMedia(WIDE_ENOUGH)
  const [adding, setAdding] = useState<Part | null>(null)
  const opened = useOpenCards(pressed)
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

type EntryListProps = { part: Part; add: ReactNode; opened: OpenCards }

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

function useOpenCards(pressed: NodeFocus) {
  const { setup, refused } = useEditor()
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
  // A refused setting is marked at its field, which a closed card does not show.
  const wrong = Object.keys(refused).join('\n')
  useEffect(() => {
    if (wrong) setOpen((before) => new Set([...before, ...wrong.split('\n')]))
  }, [wrong])
  return {
    has: (place: string) => open.has(place),
    toggle: (place: string) => setOpen((before) => toggled(before, place)),
  }
}

type OpenCards = ReturnType<typeof useOpenCards>

function toggled(set: ReadonlySet<string>, item: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(item)) next.add(item)
  return next
}

function InputCard({ entryKey, ...card }: CardProps) {
  const { t } = useTranslation('workflowApi')
  const { setup, change } = useEditor()
  const entry = setup.inputs[entryKey]
  if (!entry) return null
  const { id, nodeDisplayName, nodeName, name, kind, adapter, order } = entry
  const set = (next: InputChange) => change((now) => changeAdapter(now, entryKey, next))
  const from = [`#${id} ${nodeDisplayName || nodeName}`, name, typeWord(entry)]
  if (kind === 'optional') from.push(t('select.optional'))
  return (
    <EntryCard
      {...card}
      place={`inputs.${entryKey}`}
      node={id}
      number={order}
      title={adapter.name || name}
      origin={from.filter(Boolean).join(' · ')}
      mark={adapter.uiType && t(`widgets.${adapter.uiType}`)}
      onRemove={() => change((now) => removeInput(now, entryKey))}
    >
      <AdapterFields entry={entry} place={`inputs.${entryKey}`} set={set} />
    </EntryCard>
  )
}
