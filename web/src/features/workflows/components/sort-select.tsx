import { useTranslation } from 'react-i18next'
import { Select } from '@/shared/ui/select'
import { SORTS, type WorkflowSort } from '../model'

type SortSelectProps = { value: WorkflowSort; onChange: (sort: WorkflowSort) => void; className?: string }

export function SortSelect({ value, onChange, className }: SortSelectProps) {
  const { t } = useTranslation('workflows')
  return (
    <Select
      className={className}
      aria-label={t('sort.label')}
      value={value}
      onChange={(event) => onChange(event.target.value as WorkflowSort)}
    >
      {SORTS.map((sort) => (
        <option key={sort} value={sort}>
          {t(`sort.${sort}`)}
        </option>
      ))}
    </Select>
  )
}
