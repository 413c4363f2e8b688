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
  /** Left out if the surrounding layer can be closed. */
  onClose?: (() => void) | undefined
}

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
    <SidePanel title={t(`detail.add.${part}`)} onClose={onClose}>
      {search}
      <div className={styles.list}>{list}</div>
    </SidePanel>
  )
}

type SidePanelProps = { title: string; onClose: () => void; children: ReactNode }

/** A layer beside the list, which stays usable. */
function SidePanel({ title, onClose, children }: SidePanelProps) {
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
