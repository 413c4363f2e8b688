import { useTranslation } from 'react-i18next'
import { TextField } from '@/shared/ui/field'
import { SearchForm } from '@/shared/ui/search-form'
import { SelectField } from '@/shared/ui/select'
import { SUBSCRIPTION_STATUSES, type SubscriberFilters } from '../calendar-model'
import { MAX_SEARCH } from '../model'
import styles from './calendar.module.css'

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
        onSearch={(search) => onChange({ search })}
      />
      <SelectField
        label={t('subscribers.status')}
        value={filters.status}
        onChange={({ target }) => onChange({ status: target.value as SubscriberFilters['status'] })}
      >
        <option value="">{t('subscribers.all')}</option>
        {SUBSCRIPTION_STATUSES.map((one) => (
          <option key={one} value={one}>
            {t(`subscribers.statuses.${one}`)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t('subscribers.day')}
        type="date"
        value={filters.day}
        onChange={({ target }) => onChange({ day: target.value })}
      />
    </div>
  )
}
