import { useTranslation } from 'react-i18next'
import { TextField } from '@/shared/ui/field'
import { SearchForm } from '@/shared/ui/search-form'
import { SUBSCRIPTION_STATUSES, type SubscriberFilters } from '../calendar-model'
import { MAX_SEARCH } from '../model'
import styles from './calendar.module.css'
import { FilterChoice } from './filter-choice'

type SubscriberFilterFieldsProps = {
  filters: SubscriberFilters
  onChange: (change: Partial<SubscriberFilters>) => void
}

export function SubscriberFilterFields({ filters, onChange }: SubscriberFilterFieldsProps) {
  const { t } = useTranslation('subscription')
  return (
    <div className={styles.filters}>
      <SearchForm
        label={t('subscribers.search')}
        value={filters.search}
        maxLength={MAX_SEARCH}
        asTyped
        onSearch={(search) => onChange({ search })}
      />
      <FilterChoice
        label={t('subscribers.status')}
        value={filters.status}
        all={SUBSCRIPTION_STATUSES}
        titleOfAll={t('subscribers.all')}
        titleOf={(one) => t(`subscribers.statuses.${one}`)}
        onChoose={(status) => onChange({ status })}
      />
      <TextField
        label={t('subscribers.day')}
        type="date"
        value={filters.day}
        onChange={({ target }) => onChange({ day: target.value })}
      />
    </div>
  )
}
