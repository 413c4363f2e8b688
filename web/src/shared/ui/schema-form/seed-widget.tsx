import { useTranslation } from 'react-i18next'
import { Button } from '../button'
import { Segments } from '../segments'
import { NumberInput } from './number-input'
import styles from './schema-form.module.css'
import type { WidgetProps } from './widget'
import { controlProps } from './widgets'

/** The value that requests a new seed for every run. */
export const RANDOM_SEED = -1

/** A random seed from 0 to `maximum`, at most a safe integer. */
export function rollSeed(maximum: number | string = Number.MAX_SAFE_INTEGER): number {
  const limit = Math.min(Number(maximum), Number.MAX_SAFE_INTEGER)
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
  // 53 random bits cover every safe integer.
  const seed = (high & 0x1fffff) * 0x1_0000_0000 + low
  return limit === Number.MAX_SAFE_INTEGER ? seed : seed % (limit + 1)
}

/** A random seed (-1, new for every run) or a fixed one, which can be edited or rolled again. */
export function SeedWidget(props: WidgetProps) {
  const { t } = useTranslation('miniApps')
  const { value, onChange, field, id } = props
  const random = value === undefined || value === RANDOM_SEED
  const control = controlProps(props)
  const roll = () => onChange(rollSeed(field.maximum))
  const options = [
    { key: 'random' as const, title: t('seed.random') },
    { key: 'fixed' as const, title: t('seed.fixed') },
  ]
  return (
    <div className={styles.seed}>
      <Segments
        label={t('seed.mode', { label: field.title })}
        options={options}
        value={random ? 'random' : 'fixed'}
        disabled={control.disabled}
        onChange={(mode) => {
          if (mode === 'random') onChange(RANDOM_SEED)
          else if (random) roll()
        }}
      />
      {random ? (
        <p className={styles.seedHint}>{t('seed.hint')}</p>
      ) : (
        <div className={styles.seedValue}>
          <NumberInput
            {...control}
            aria-labelledby={`${id}-label`}
            value={value}
            integer
            keepsText
            onChange={onChange}
          />
          <Button tone="outline" icon="dice" aria-label={t('seed.dice')} disabled={control.disabled} onClick={roll} />
        </div>
      )}
    </div>
  )
}
