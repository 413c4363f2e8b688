import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '@/shared/lib/class-names'
import { Button } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import { useEditor } from '../editor-context'
import { useProblemWords } from '../use-problem-words'
import styles from './entry-card.module.css'

/** What a list passes to the card of an entry. */
export type CardProps = { entryKey: string; handle: ReactNode; open: boolean; onToggle: () => void }

type EntryCardProps = Omit<CardProps, 'entryKey'> & {
  /** `inputs.<key>` or `outputs.<key>`. */
  place: string
  node: string
  number: number
  title: string
  origin: string
  /** The kind of control. */
  mark?: string | undefined
  onRemove: () => void
  children: ReactNode
}

/** A card of one entry: position, name and node; opened, all its settings. */
export function EntryCard(props: EntryCardProps) {
  const { place, node, number, title, origin, mark, handle, open, onToggle, onRemove, children } = props
  const { t } = useTranslation('workflowApi')
  const id = useId()
  const { problems, refused, marked, lookAt } = useEditor()
  const words = useProblemWords()
  const own = problems.filter((problem) => problem.place === place)
  const isWrong = own.length > 0 || refused[place] !== undefined
  const press = () => {
    onToggle()
    lookAt(node)
  }
  return (
    <article className={classNames(styles.card, marked === node && styles.marked, isWrong && styles.wrong)}>
      <div className={styles.head}>
        {handle}
        <span className={styles.number}>{number}</span>
        <button
          type="button"
          className={styles.title}
          data-node={node}
          aria-expanded={open}
          aria-controls={id}
          onClick={press}
        >
          <span className={styles.words}>
            <span className={styles.name}>{title}</span>
            <span className={styles.origin}>{origin}</span>
          </span>
          {mark && <span className={styles.mark}>{mark}</span>}
          {isWrong && <Icon name="warning" size={18} />}
          <Icon name={open ? 'up' : 'down'} size={18} />
        </button>
        <Button
          size="small"
          tone="ghost"
          icon="trash"
          aria-label={t('detail.remove', { name: title })}
          onClick={onRemove}
        />
      </div>
      {own.map((problem) => (
        <p key={problem.code} className={styles.problem} role="alert">
          <Icon name="warning" size={14} />
          {words(problem)}
        </p>
      ))}
      {open && (
        <div id={id} className={styles.body}>
          {children}
        </div>
      )}
    </article>
  )
}
