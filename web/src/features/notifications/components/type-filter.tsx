import { useTranslation } from 'react-i18next'
import { countOf, FILTERS, type Filter } from '../model'
import { badge, type Counts } from '../unread'
import styles from './type-filter.module.css'

type TypeFilterProps = { value: Filter; counts: Counts | undefined; onChange: (filter: Filter) => void }

export function TypeFilter({ value, counts, onChange }: TypeFilterProps) {
  const { t } = useTranslation('notifications')
  return (
    <fieldset className={styles.filter}>
      <legend className="visually-hidden">{t('filter')}</legend>
      {FILTERS.map((filter) => {
        const count = countOf(counts, filter)
        return (
          <button
            key={filter}
            type="button"
            className={styles.choice}
            aria-pressed={filter === value}
            onClick={() => onChange(filter)}
          >
            {t(`types.${filter}`)}{' '}
            {count > 0 && (
              <>
                <span className={styles.count} aria-hidden="true">
                  {badge(count, true)}
                </span>
                <span className="visually-hidden">{t('unread', { count })}</span>
              </>
            )}
          </button>
        )
      })}
    </fieldset>
  )
}
