import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchForm } from '@/shared/ui/search-form'
import { InputPicks, OutputPicks } from './picks'
import styles from './select-tab.module.css'

/** Possible inputs on the left, outputs on the right, with one search for both. */
export function SelectTab() {
  const { t } = useTranslation('workflowApi')
  const [words, setWords] = useState('')
  return (
    <div className={styles.tab}>
      <SearchForm label={t('select.search')} onSearch={setWords} onWrite={(next) => setWords(next.trim())} />
      <div className={styles.lists}>
        <section aria-labelledby="api-inputs">
          <h2 id="api-inputs" className={styles.heading}>
            {t('select.inputs')}
          </h2>
          <InputPicks words={words} />
        </section>
        <section aria-labelledby="api-outputs">
          <h2 id="api-outputs" className={styles.heading}>
            {t('select.outputs')}
          </h2>
          <OutputPicks words={words} />
        </section>
      </div>
    </div>
  )
}
