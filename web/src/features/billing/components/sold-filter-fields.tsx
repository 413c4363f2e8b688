import { useTranslation } from 'react-i18next'
import { TextField } from '@/shared/ui/field'
import { SearchForm } from '@/shared/ui/search-form'
import { MAX_SEARCH } from '../model'
import {
  isReversed,
  ORDER_PROVIDERS,
  ORDER_STATUSES,
  PAYMENT_TYPES,
  PRODUCT_KINDS,
  type SoldFilters,
} from '../sold-model'
import { FilterChoice } from './filter-choice'
import styles from './sold.module.css'

type SoldFilterFieldsProps = { filters: SoldFilters; onChange: (change: Partial<SoldFilters>) => void }

export function SoldFilterFields({ filters, onChange }: SoldFilterFieldsProps) {
  const { t } = useTranslation('orders')
  return (
    <div className={styles.filters}>
      <div className={styles.search}>
        <SearchForm
          label={t('sold.search')}
          value={filters.search}
          maxLength={MAX_SEARCH}
          asTyped
          onSearch={(search) => onChange({ search })}
        />
      </div>
      <FilterChoice
        label={t('details.type')}
        value={filters.type}
        all={PAYMENT_TYPES}
        titleOfAll={t('sold.all')}
        titleOf={(one) => t(`type.${one}`)}
        onChoose={(type) => onChange({ type })}
      />
      <FilterChoice
        label={t('items.kind')}
        value={filters.kind}
        all={PRODUCT_KINDS}
        titleOfAll={t('sold.all')}
        titleOf={(one) => t(`items.kinds.${one}`)}
        onChoose={(kind) => onChange({ kind })}
      />
      <FilterChoice
        label={t('details.status')}
        value={filters.status}
        all={ORDER_STATUSES}
        titleOfAll={t('sold.all')}
        titleOf={(one) => t(`status.${one}`)}
        onChoose={(status) => onChange({ status })}
      />
      <FilterChoice
        label={t('details.provider')}
        value={filters.provider}
        all={ORDER_PROVIDERS}
        titleOfAll={t('sold.all')}
        titleOf={(one) => t(`provider.${one}`)}
        onChoose={(provider) => onChange({ provider })}
      />
      <TextField
        label={t('sold.from')}
        type="date"
        value={filters.from}
        {...(filters.until && { max: filters.until })}
        onChange={({ target }) => onChange({ from: target.value })}
      />
      <TextField
        label={t('sold.until')}
        type="date"
        value={filters.until}
        {...(filters.from && { min: filters.from })}
        error={isReversed(filters) ? t('sold.reversed') : undefined}
        onChange={({ target }) => onChange({ until: target.value })}
      />
    </div>
  )
}
