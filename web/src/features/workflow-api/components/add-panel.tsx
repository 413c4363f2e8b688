import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { useEscape } from '@/shared/ui/layers'
import { SearchForm } from '@/shared/ui/search-form'
import type { Setup } from '../types'
import styles from './add-panel.module.css'
import { InputPicks, OutputPicks } from './picks'

type AddPanelProps = {
  part: keyof Setup
  /** Left out where what it stands in can be closed. */
  onClose?: (() => void) | undefined
}

/** What can be added, beside what is chosen already. */
export function AddPanel({ part, onClose }: AddPanelProps) {
  const { t } = useTranslation('workflowApi')
  const [words, setWords] = useState('')
  const search = (
    <SearchForm label={t('select.search')} autoFocus onSearch={setWords} onWrite={(next) => setWords(next.trim())} />
  )
  const list = part === 'inputs' ? <InputPicks words={words} /> : <OutputPicks words={words} />
  if (!onClose) {
    return (
      <div className={styles.plain}>
        {search}
        {list}
      </div>
    )
  }
  return (
    <Beside title={t(`detail.add.${part}`)} onClose={onClose}>
      {search}
      <div className={styles.list}>{list}</div>
    </Beside>
  )
}

type BesideProps = { title: string; onClose: () => void; children: ReactNode }

/** A layer that stands beside the list instead of above it: the list can be used all the while. */
function Beside({ title, onClose, children }: BesideProps) {
  const { t } = useTranslation()
  useEscape(true, onClose)
  return (
    <div className={styles.panel} role="dialog" aria-label={title}>
      <div className={styles.head}>
        <p className={styles.title}>{title}</p>
        <Button size="small" tone="ghost" icon="close" aria-label={t('close')} onClick={onClose} />
      </div>
      {children}
    </div>
  )
}
