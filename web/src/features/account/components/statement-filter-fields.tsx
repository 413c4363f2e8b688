import { useTranslation } from 'react-i18next'
import { TextField } from '@/shared/ui/field'
import { SelectField } from '@/shared/ui/select'
import { ENTRY_KINDS, isReversed, type StatementFilters } from '../model'
import styles from '../pages/account-page.module.css'

type StatementFilterFieldsProps = {
  filters: StatementFilters
  onChange: (change: Partial<StatementFilters>) => void
}

export function StatementFilterFields({ filters, onChange }: StatementFilterFieldsProps) {
  const { t } = useTranslation('account')
  return (
    <div className={styles.filters}>
      <SelectField
        label={t('credits.what')}
        className={styles.kind}
        value={filters.kind}
        onChange={(event) => onChange({ kind: event.target.value as StatementFilters['kind'] })}
      >
        <option value="">{t('credits.filter.all')}</option>
        {ENTRY_KINDS.map((one) => (
          <option key={one} value={one}>
            {t(`credits.kind.${one}`)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t('credits.filter.from')}
        type="date"
        value={filters.from}
        {...(filters.until && { max: filters.until })}
        onChange={(event) => onChange({ from: event.target.value })}
      />
      <TextField
        label={t('credits.filter.until')}
        type="date"
        value={filters.until}
        {...(filters.from && { min: filters.from })}
        error={isReversed(filters) ? t('credits.filter.reversed') : undefined}
        onChange={(event) => onChange({ until: event.target.value })}
      />
    </div>
  )
}
