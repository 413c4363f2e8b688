import { useTranslation } from 'react-i18next'
import { useEditor } from '../editor-context'
import { changeAdapter, type InputChange, removeInput, typeWord } from '../model'
import { AdapterFields } from './adapter-fields'
import { type CardProps, EntryCard } from './entry-card'

/** An input of the form. */
export function InputCard({ entryKey, ...card }: CardProps) {
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
