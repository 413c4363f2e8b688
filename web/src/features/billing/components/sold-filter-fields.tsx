import { useTranslation } from 'react-i18next'
import { TextField } from '@/shared/ui/field'
import { SearchForm } from '@/shared/ui/search-form'
import { SelectField } from '@/shared/ui/select'
import { MAX_SEARCH } from '../model'
import { isReversed, ORDER_STATUSES, PRODUCT_KINDS, PROVIDERS, type SoldFilters } from '../sold-model'
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
          onSearch={(search) => onChange({ search })}
        />
      </div>
      <SelectField
        label={t('items.kind')}
        value={filters.kind}
        onChange={({ target }) => onChange({ kind: target.value as SoldFilters['kind'] })}
      >
        <option value="">{t('sold.all')}</option>
        {PRODUCT_KINDS.map((one) => (
          <option key={one} value={one}>
            {t(`items.kinds.${one}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('details.status')}
        value={filters.status}
        onChange={({ target }) => onChange({ status: target.value as SoldFilters['status'] })}
      >
        <option value="">{t('sold.all')}</option>
        {ORDER_STATUSES.map((one) => (
          <option key={one} value={one}>
            {t(`status.${one}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('details.provider')}
        value={filters.provider}
        onChange={({ target }) => onChange({ provider: target.value as SoldFilters['provider'] })}
      >
        <option value="">{t('sold.all')}</option>
        {PROVIDERS.map((one) => (
          <option key={one} value={one}>
            {t(`provider.${one}`)}
          </option>
        ))}
      </SelectField>
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
