import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PersonField } from '@/features/people'
import { TextField } from '@/shared/ui/field'
import { SelectField } from '@/shared/ui/select'
import {
  ALL_STATUSES,
  type AnyJobFilters,
  isReversed,
  LANES,
  PRICE_CLASSES,
  readText,
  STATUS_GROUPS,
  TEXT_FILTERS,
} from '../any-jobs-model'
import styles from './any-jobs.module.css'

type AnyJobFilterFieldsProps = { filters: AnyJobFilters; onChange: (change: Partial<AnyJobFilters>) => void }

export function AnyJobFilterFields({ filters, onChange }: AnyJobFilterFieldsProps) {
  const { t } = useTranslation('anyJobs')
  const { t: jobs } = useTranslation('jobs')
  const { t: appUse } = useTranslation('appUse')
  return (
    <div className={styles.filters}>
      <PersonField
        className={styles.person}
        label={t('columns.user')}
        value={filters.user}
        onChange={(user) => onChange({ user })}
      />
      <SelectField
        label={t('columns.status')}
        value={filters.status}
        onChange={({ target }) => onChange({ status: target.value as AnyJobFilters['status'] })}
      >
        <option value="">{t('all')}</option>
        {STATUS_GROUPS.map((one) => (
          <option key={one} value={one}>
            {t(`groups.${one}`)}
          </option>
        ))}
        {ALL_STATUSES.map((one) => (
          <option key={one} value={one}>
            {jobs(`status.${one}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('columns.lane')}
        value={filters.lane}
        onChange={({ target }) => onChange({ lane: target.value as AnyJobFilters['lane'] })}
      >
        <option value="">{t('all')}</option>
        {LANES.map((one) => (
          <option key={one} value={one}>
            {t(`lanes.${one}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('columns.priceClass')}
        value={filters.priceClass}
        onChange={({ target }) => onChange({ priceClass: target.value as AnyJobFilters['priceClass'] })}
      >
        <option value="">{t('all')}</option>
        {PRICE_CLASSES.map((one) => (
          <option key={one} value={one}>
            {appUse(`class.${one}`)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t('from')}
        type="date"
        value={filters.from}
        {...(filters.until && { max: filters.until })}
        onChange={({ target }) => onChange({ from: target.value })}
      />
      <TextField
        label={t('until')}
        type="date"
        value={filters.until}
        {...(filters.from && { min: filters.from })}
        error={isReversed(filters) ? t('reversed') : undefined}
        onChange={({ target }) => onChange({ until: target.value })}
      />
      {TEXT_FILTERS.map((key) => (
        <TypedFilter key={key} name={key} value={filters[key]} onChange={onChange} />
      ))}
    </div>
  )
}

type TypedFilterProps = { name: (typeof TEXT_FILTERS)[number]; value: string } & Pick<
  AnyJobFilterFieldsProps,
  'onChange'
>

/** Filters when the field is left, or by Enter. */
function TypedFilter({ name, value, onChange }: TypedFilterProps) {
  const { t } = useTranslation('anyJobs')
  const [draft, setDraft] = useState({ of: value, text: value })
  // A filter that a link or the address sets replaces what was typed.
  const typed = draft.of === value ? draft.text : value
  const read = readText(name, typed)
  const apply = () => {
    if (read !== undefined && read !== value) onChange({ [name]: read })
  }
  return (
    <TextField
      label={t(`typed.${name}`)}
      value={typed}
      maxLength={300}
      error={read === undefined ? t(`wrong.${name === 'label' || name === 'app' ? name : 'id'}`) : undefined}
      onChange={({ target }) => setDraft({ of: value, text: target.value })}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  )
}
