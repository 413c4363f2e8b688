import { useTranslation } from 'react-i18next'
import { controlClass, FieldError, fieldClasses } from '@/shared/ui/field'
import { MAX_WORD, type Offer, offersOf, optionsOf, withWords } from '../model'
import type { FieldsProps } from './adapter-fields'
import styles from './adapter-fields.module.css'

/** Which of the node's choices the form offers, and what they are called there. */
export function OptionFields({ entry, refused, set }: FieldsProps) {
  const { t } = useTranslation('workflowApi')
  const offers = offersOf(entry)
  if (offers.length === 0) return null
  const offered = offers.filter((offer) => offer.offered)
  const korean = entry.adapter.translations?.ko?.options ?? {}
  const put = (at: number, change: Partial<Offer>) => {
    const next = offers.map((offer, index) => (index === at ? { ...offer, ...change } : offer))
    set({ ...optionsOf(next), comboOptions: undefined })
  }
  const sayKorean = (value: string, words: string) => {
    const { [value]: _, ...others } = korean
    const options = words ? { ...others, [value]: words } : others
    set({ translations: withWords(entry.adapter, 'ko', { options }) })
  }
  return (
    <div className={fieldClasses.field}>
      <span className={fieldClasses.label}>{t('fields.options')}</span>
      <ul className={styles.options}>
        {offers.map((offer, index) => {
          const value = String(offer.value)
          return (
            <li key={`${typeof offer.value} ${value}`} className={styles.option}>
              <label className={styles.choice}>
                <input
                  type="checkbox"
                  checked={offer.offered}
                  // A list without a choice is none.
                  disabled={offer.offered && offered.length === 1}
                  onChange={(event) => put(index, { offered: event.target.checked })}
                />
                {value}
              </label>
              <input
                className={controlClass}
                aria-label={t('fields.optionName', { value })}
                placeholder={t('fields.optionPlaceholder')}
                value={offer.label}
                maxLength={MAX_WORD}
                disabled={!offer.offered}
                onChange={(event) => put(index, { label: event.target.value })}
              />
              <input
                className={controlClass}
                aria-label={t('fields.optionNameKo', { value })}
                placeholder={t('fields.optionPlaceholderKo')}
                value={korean[value] ?? ''}
                maxLength={MAX_WORD}
                disabled={!offer.offered}
                onChange={(event) => sayKorean(value, event.target.value)}
              />
            </li>
          )
        })}
      </ul>
      {refused.options && <FieldError>{refused.options}</FieldError>}
    </div>
  )
}
