import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePersonName } from '@/shared/lib/person-name'
import { Button } from '@/shared/ui/button'
import { TextField } from '@/shared/ui/field'
import { SearchForm } from '@/shared/ui/search-form'
import { SelectField } from '@/shared/ui/select'
import { adminCardQuery } from '../api'
import { ACTIONS, type AuditQuestion, keyOf } from '../model'
import styles from './audit-filters.module.css'

type AuditFiltersProps = { filters: AuditQuestion; onChange: (change: Partial<AuditQuestion>) => void }

/** Filters of the log. Admins and targets are chosen by pressing them in a line; ids can be pasted. */
export function AuditFilters({ filters, onChange }: AuditFiltersProps) {
  const { t } = useTranslation('audit')
  return (
    <div className={styles.filters}>
      <div className={styles.search}>
        <SearchForm
          label={t('target')}
          value={filters.target}
          maxLength={64}
          onSearch={(target) => onChange({ target })}
        />
      </div>
      <SelectField
        label={t('action')}
        className={styles.action}
        value={filters.action}
        onChange={(event) => onChange({ action: event.target.value as AuditQuestion['action'] })}
      >
        <option value="">{t('allActions')}</option>
        {ACTIONS.map((one) => (
          <option key={one} value={one}>
            {t(`actions.${keyOf(one)}`)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t('from')}
        type="date"
        value={filters.from}
        {...(filters.to && { max: filters.to })}
        onChange={(event) => onChange({ from: event.target.value })}
      />
      <TextField
        label={t('to')}
        type="date"
        value={filters.to}
        {...(filters.from && { min: filters.from })}
        onChange={(event) => onChange({ to: event.target.value })}
      />
      {filters.admin && <OneAdmin id={filters.admin} onAll={() => onChange({ admin: '' })} />}
    </div>
  )
}

function OneAdmin({ id, onAll }: { id: string; onAll: () => void }) {
  const { t } = useTranslation('audit')
  const admin = useQuery(adminCardQuery(id))
  const nameOf = usePersonName()
  const name = nameOf(admin.data)
  return (
    <Button className={styles.admin} tone="outline" icon="close" aria-label={t('allAdmins', { name })} onClick={onAll}>
      {name}
    </Button>
  )
}
