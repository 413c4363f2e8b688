import { useTranslation } from 'react-i18next'
import { compareNumbers } from '@/shared/lib/big-integers'
import { controlClass, FieldError, fieldClasses, TextArea, TextField } from '@/shared/ui/field'
import { NumberInput } from '@/shared/ui/schema-form/number-input'
import type { WidgetName } from '@/shared/ui/schema-form/read-form'
import { Select } from '@/shared/ui/select'
import { useEditor } from '../editor-context'
import {
  defaultFieldName,
  duplicateNames,
  type InputChange,
  isFieldName,
  MAX_FIELD_NAME,
  MAX_TOOLTIP,
  MAX_WORD,
  nodeLimits,
  type Offer,
  offersOf,
  optionsOf,
  typeWord,
  widgetsOf,
  withWidget,
  withWords,
} from '../model'
import type { InputEntry, InputWords } from '../types'
import styles from './adapter-fields.module.css'
import { DefaultField } from './default-field'
import { Labeled } from './labeled'

export type FieldsProps = {
  entry: InputEntry
  /** The server's errors, by field. */
  refused: Record<string, string>
  set: (change: InputChange) => void
}

type AdapterFieldsProps = { entry: InputEntry; place: string; set: FieldsProps['set'] }

/** How an input is shown in the form, and its name in the API. */
export function AdapterFields({ entry, place, set }: AdapterFieldsProps) {
  const { refused } = useEditor()
  const { uiType } = entry.adapter
  const fields = { entry, refused: refused[place] ?? {}, set }
  return (
    <>
      <Names {...fields} />
      <DefaultField {...fields} />
      {uiType === 'range' && <RangeFields {...fields} />}
      {uiType === 'select' && <OptionFields {...fields} />}
      <Tooltip {...fields} />
      <Korean {...fields} />
    </>
  )
}

function Names({ entry, refused, set }: FieldsProps) {
  const { t } = useTranslation('workflowApi')
  const { setup } = useEditor()
  const { adapter } = entry
  const field = adapter.apiFieldName ?? defaultFieldName(entry)
  const isTwice = duplicateNames(setup).inputs.includes(field.trim())
  const widgets = widgetsOf(entry)
  return (
    <>
      <div className={styles.pair}>
        <TextField
          label={t('fields.name')}
          value={adapter.name ?? ''}
          placeholder={entry.name}
          maxLength={MAX_WORD}
          error={refused.name}
          onChange={(event) => set({ name: event.target.value || undefined })}
        />
        <Labeled label={t('fields.widget')} error={refused.uiType}>
          {(control) => (
            <Select
              {...control}
              value={adapter.uiType ?? ''}
              disabled={widgets.length < 2}
              onChange={(event) => set(withWidget(adapter, event.target.value as WidgetName))}
            >
              {widgets.map((widget) => (
                <option key={widget} value={widget}>
                  {t(`widgets.${widget}`)}
                </option>
              ))}
            </Select>
          )}
        </Labeled>
      </div>
      <TextField
        label={t('fields.apiFieldName')}
        help={t('fields.apiFieldNameHelp')}
        value={field}
        maxLength={MAX_FIELD_NAME}
        spellCheck={false}
        autoCapitalize="off"
        error={isTwice ? t('fields.twice') : isFieldName(field) ? refused.apiFieldName : t('fields.letters')}
        onChange={(event) => set({ apiFieldName: event.target.value })}
      />
    </>
  )
}

function Tooltip({ entry, refused, set }: FieldsProps) {
  const { t } = useTranslation('workflowApi')
  return (
    <TextArea
      label={t('fields.tooltip')}
      rows={2}
      value={entry.adapter.tooltip ?? ''}
      maxLength={MAX_TOOLTIP}
      error={refused.tooltip}
      onChange={(event) => set({ tooltip: event.target.value || undefined })}
    />
  )
}

function Korean({ entry, refused, set }: FieldsProps) {
  const { t } = useTranslation('workflowApi')
  const words = entry.adapter.translations?.ko ?? {}
  const setTexts = (change: InputWords) => set({ translations: withWords(entry.adapter, 'ko', change) })
  return (
    <details className={styles.korean} open={Object.keys(words).length > 0 || undefined}>
      <summary>{t('fields.korean')}</summary>
      <TextField
        label={t('fields.nameKo')}
        value={words.name ?? ''}
        maxLength={MAX_WORD}
        error={refused['translations.ko.name']}
        onChange={(event) => setTexts({ name: event.target.value })}
      />
      <TextArea
        label={t('fields.tooltipKo')}
        rows={2}
        value={words.tooltip ?? ''}
        maxLength={MAX_TOOLTIP}
        error={refused['translations.ko.tooltip']}
        onChange={(event) => setTexts({ tooltip: event.target.value })}
      />
    </details>
  )
}

/** Which of the node's choices the form offers, and their labels. */
function OptionFields({ entry, refused, set }: FieldsProps) {
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
                  // A list needs at least one choice.
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

/** Default range of a number. */
const DEFAULT_RANGE = { min: 0, max: 100, step: 1 }

function RangeFields({ entry, refused, set }: FieldsProps) {
  const { t } = useTranslation('workflowApi')
  const { adapter } = entry
  const usual = { ...DEFAULT_RANGE, ...nodeLimits(entry) }
  const isTurned = compareNumbers(adapter.min ?? usual.min, adapter.max ?? usual.max) > 0
  return (
    <div className={styles.three}>
      {(['min', 'max', 'step'] as const).map((part) => (
        <Labeled
          key={part}
          label={t(`fields.${part}`)}
          error={part === 'max' && isTurned ? t('fields.turned') : refused[part]}
        >
          {(control) => (
            <NumberInput
              {...control}
              value={adapter[part]}
              placeholder={String(usual[part])}
              integer={typeWord(entry) === 'INT'}
              onChange={(value) => set({ [part]: value ?? undefined })}
            />
          )}
        </Labeled>
      ))}
    </div>
  )
}
