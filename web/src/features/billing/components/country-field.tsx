import { useTranslation } from 'react-i18next'
import type { BillingCountry } from '@/shared/api/types'
import { Segments } from '@/shared/ui/segments'
import { SelectField } from '@/shared/ui/select'
import { COUNTRIES } from '../use-country'

type CountryFieldProps = {
  country: BillingCountry
  onCountry: (country: BillingCountry) => void
  error?: string | undefined
}

/** The country of the buyer as a field of a form. */
export function CountryField({ country, onCountry, error }: CountryFieldProps) {
  const { t } = useTranslation('orders')
  return (
    <SelectField
      label={t('country.label')}
      help={t('country.help')}
      error={error}
      value={country}
      onChange={({ target }) => onCountry(COUNTRIES.find((one) => one === target.value) ?? country)}
    >
      {COUNTRIES.map((one) => (
        <option key={one} value={one}>
          {t(`country.${one}`)}
        </option>
      ))}
    </SelectField>
  )
}

/** The country of the buyer above prices. */
export function CountryChoice({ country, onCountry }: Omit<CountryFieldProps, 'error'>) {
  const { t } = useTranslation('orders')
  return (
    <Segments
      label={t('country.label')}
      options={COUNTRIES.map((key) => ({ key, title: t(`country.${key}`) }))}
      value={country}
      onChange={onCountry}
    />
  )
}
