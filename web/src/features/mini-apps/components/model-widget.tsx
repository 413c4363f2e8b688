import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { FieldError } from '@/shared/ui/field'
import type { WidgetProps } from '@/shared/ui/schema-form/widget'
import { controlProps } from '@/shared/ui/schema-form/widgets'
import { Select } from '@/shared/ui/select'
import { modelsQuery } from '../api'

/** Chooses a model of the workers. A chosen model that is gone stays visible. */
export function ModelWidget(props: WidgetProps) {
  const { t } = useTranslation('miniApps')
  const { t: common } = useTranslation()
  const { field } = props
  const models = useQuery(modelsQuery(field.folder))
  const value = typeof props.value === 'string' ? props.value : ''
  const listed = models.data ?? field.options?.map(String) ?? []
  const names = value && !listed.includes(value) ? [value, ...listed] : listed
  return (
    <>
      <Select
        {...controlProps(props)}
        value={value}
        onChange={(event) => props.onChange(event.target.value === '' ? null : event.target.value)}
      >
        {(!value || field.optional) && (
          <option value="">
            {t(
              models.isPending
                ? 'model.loading'
                : field.optional
                  ? 'form.noValue'
                  : names.length
                    ? 'form.choose'
                    : 'model.empty',
            )}
          </option>
        )}
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
      {models.isError && (
        <FieldError>
          {t('model.failed')}
          <Button size="small" tone="ghost" onClick={() => void models.refetch()}>
            {common('retry')}
          </Button>
        </FieldError>
      )}
    </>
  )
}
