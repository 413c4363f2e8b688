import { useTranslation } from 'react-i18next'
import { SearchForm } from '@/shared/ui/search-form'
import { Select } from '@/shared/ui/select'
import { type Filters, STATES, TASKS } from '../model'
import styles from './generator-filters.module.css'

type GeneratorFiltersProps = { filters: Filters; onChange: (change: Partial<Filters>) => void }

export function GeneratorFilters({ filters: { task, state, keyword }, onChange }: GeneratorFiltersProps) {
  const { t } = useTranslation('generators')
  return (
    <div className={styles.bar}>
      <SearchForm label={t('search')} value={keyword} asTyped onSearch={(words) => onChange({ keyword: words })} />
      <Select
        className={styles.select}
        aria-label={t('task')}
        value={task}
        onChange={(event) => onChange({ task: event.target.value as Filters['task'] })}
      >
        <option value="">{t('allTasks')}</option>
        {TASKS.map((key) => (
          <option key={key} value={key}>
            {t(`tasks.${key}`)}
          </option>
        ))}
      </Select>
      <Select
        className={styles.select}
        aria-label={t('state')}
        value={state}
        onChange={(event) => onChange({ state: event.target.value as Filters['state'] })}
      >
        <option value="">{t('allStates')}</option>
        {STATES.map((key) => (
          <option key={key} value={key}>
            {t(`states.${key}`)}
          </option>
        ))}
      </Select>
    </div>
  )
}
