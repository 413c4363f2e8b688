import { useTranslation } from 'react-i18next'
import { TextField } from '@/shared/ui/field'
import { SelectField } from '@/shared/ui/select'
import { GROUPINGS, type RevenueFilters } from '../revenue-model'
import { isReversed, PROVIDERS } from '../sold-model'
import { FilterChoice } from './filter-choice'
import styles from './revenue.module.css'

type RevenueFilterFieldsProps = { filters: RevenueFilters; onChange: (change: Partial<RevenueFilters>) => void }

export function RevenueFilterFields({ filters, onChange }: RevenueFilterFieldsProps) {
  const { t } = useTranslation('revenue')
  const { t: orders } = useTranslation('orders')
  return (
    <div className={styles.filters}>
      <TextField
        label={orders('sold.from')}
        help={t('fromHelp')}
        type="date"
        value={filters.from}
        {...(filters.until && { max: filters.until })}
        onChange={({ target }) => onChange({ from: target.value })}
      />
      <TextField
        label={orders('sold.until')}
        type="date"
        value={filters.until}
        {...(filters.from && { min: filters.from })}
        error={isReversed(filters) ? orders('sold.reversed') : undefined}
        onChange={({ target }) => onChange({ until: target.value })}
      />
      <SelectField
        label={t('groupBy')}
        value={filters.groupBy}
        onChange={({ target }) => onChange({ groupBy: target.value as RevenueFilters['groupBy'] })}
      >
        {GROUPINGS.map((one) => (
          <option key={one} value={one}>
            {t(`grouping.${one}`)}
          </option>
        ))}
      </SelectField>
      <FilterChoice
        label={orders('details.provider')}
        value={filters.provider}
        all={PROVIDERS}
        titleOfAll={orders('sold.all')}
        titleOf={(one) => orders(`provider.${one}`)}
        onChoose={(provider) => onChange({ provider })}
      />
    </div>
  )
}
