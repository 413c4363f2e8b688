import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '@/shared/lib/class-names'
import { Chip } from '@/shared/ui/chip'
import { Icon } from '@/shared/ui/icon'
import { EmptyState } from '@/shared/ui/states'
import { useEditor } from '../editor-context'
import { addInput, addOutput, inputKey, removeInput, removeOutput, typeWord } from '../model'
import { type SearchMatch, searchInputs, searchOutputs } from '../search'
import type { InputEntry, OutputEntry } from '../types'
import styles from './picks.module.css'

/** The nodes with their inputs. A press adds an input, another removes it. */
export function InputPicks({ words }: { words: string }) {
  const { t } = useTranslation('workflowApi')
  const { editor } = useEditor()
  const shown = useMemo(() => searchInputs(editor.nodes, words), [editor.nodes, words])
  if (shown.length === 0) return <NoMatches icon="edit" words={words} title={t('select.noInputs')} />
  return (
    <ul className={styles.nodes}>
      {shown.map((one) => (
        <NodePicks key={one.node.id} {...one} />
      ))}
    </ul>
  )
}

function NodePicks({ node, entries }: SearchMatch) {
  const { t } = useTranslation('workflowApi')
  return (
    <NodeItem id={node.id} title={node.title || node.display_name} name={node.display_name}>
      {node.missing && (
        <p className={styles.missing}>
          <Icon name="warning" size={14} />
          {t('select.missing')}
        </p>
      )}
      {entries.length > 0 && (
        <ul className={styles.picks}>
          {entries.map((entry) => (
            <li key={entry.name}>
              <InputPick entry={entry} />
            </li>
          ))}
        </ul>
      )}
    </NodeItem>
  )
}

function InputPick({ entry }: { entry: InputEntry }) {
  const { t } = useTranslation('workflowApi')
  const { setup, change, lookAt } = useEditor()
  const key = inputKey(entry)
  const isChosen = key in setup.inputs
  const toggle = () => {
    change((now) => (isChosen ? removeInput(now, key) : addInput(now, entry)))
    lookAt(entry.id)
  }
  return (
    <Pick chosen={isChosen} onToggle={toggle}>
      <span className={styles.name}>{entry.name}</span>
      <span className={styles.facts}>
        {typeWord(entry)}
        {entry.kind === 'optional' && <Chip>{t('select.optional')}</Chip>}
      </span>
    </Pick>
  )
}

export function OutputPicks({ words }: { words: string }) {
  const { t } = useTranslation('workflowApi')
  const { editor, drawnOutputs } = useEditor()
  const { outputs, nodes } = editor
  const shown = useMemo(() => searchOutputs(outputs, nodes, words), [outputs, nodes, words])
  const silent = words ? [] : drawnOutputs.filter(({ id }) => !outputs.some((entry) => entry.id === id))
  if (shown.length === 0 && silent.length === 0)
    return <NoMatches icon="picture" words={words} title={t('select.noOutputs')} />
  return (
    <ul className={styles.nodes}>
      {shown.map((entry) => (
        <OutputPick key={entry.id} entry={entry} />
      ))}
      {silent.map(({ id, title, name }) => (
        <NodeItem key={id} id={id} title={title || name} name={name}>
          <p className={styles.missing}>
            <Icon name="warning" size={14} />
            {t('select.silent')}
          </p>
        </NodeItem>
      ))}
    </ul>
  )
}

function OutputPick({ entry }: { entry: OutputEntry }) {
  const { t } = useTranslation('workflowApi')
  const { editor, setup, change, lookAt } = useEditor()
  const isChosen = entry.id in setup.outputs
  const node = editor.nodes.find(({ id }) => id === entry.id)
  const toggle = () => {
    change((now) => (isChosen ? removeOutput(now, entry.id) : addOutput(now, entry)))
    lookAt(entry.id)
  }
  return (
    <NodeItem id={entry.id} title={entry.name} name={node?.display_name ?? ''}>
      <Pick chosen={isChosen} onToggle={toggle}>
        <span className={styles.name}>{t('select.result')}</span>
      </Pick>
    </NodeItem>
  )
}

type NodeItemProps = { id: string; title: string; name: string; children: ReactNode }

/** A node in a list. Its title shows it in the drawing. */
function NodeItem({ id, title, name, children }: NodeItemProps) {
  const { t } = useTranslation('workflowApi')
  const { marked, lookAt } = useEditor()
  return (
    <li className={classNames(styles.node, marked === id && styles.marked)}>
      <button
        type="button"
        data-node={id}
        className={styles.nodeTitle}
        title={t('select.lookAt')}
        onClick={() => lookAt(id)}
      >
        <span className={styles.id}>{`#${id}`}</span>
        <span>{title}</span>
        {name !== title && <span className={styles.class}>{name}</span>}
      </button>
      {children}
    </li>
  )
}

type PickProps = { chosen: boolean; onToggle: () => void; children: ReactNode }

function Pick({ chosen, onToggle, children }: PickProps) {
  return (
    <label className={styles.pick}>
      <input type="checkbox" checked={chosen} onChange={onToggle} />
      {children}
    </label>
  )
}

function NoMatches({ icon, words, title }: { icon: 'edit' | 'picture'; words: string; title: string }) {
  const { t } = useTranslation('workflowApi')
  return words ? (
    <EmptyState icon="search" title={t('select.nothing')} text={t('select.nothingText')} />
  ) : (
    <EmptyState icon={icon} title={title} />
  )
}
