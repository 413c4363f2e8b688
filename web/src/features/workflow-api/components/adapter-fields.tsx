import { useTranslation } from 'react-i18next'
import { TextArea, TextField } from '@/shared/ui/field'
import type { WidgetName } from '@/shared/ui/schema-form/read-form'
import { Select } from '@/shared/ui/select'
import { useEditor } from '../editor-context'
import {
  defaultFieldName,
  type InputChange,
  isFieldName,
  MAX_FIELD_NAME,
  MAX_TOOLTIP,
  MAX_WORD,
  namedTwice,
  widgetsOf,
  withWidget,
  withWords,
} from '../model'
import type { InputEntry, InputWords } from '../types'
import styles from './adapter-fields.module.css'
import { DefaultField } from './default-field'
import { Labeled } from './labeled'
import { OptionFields } from './option-fields'
import { RangeFields } from './range-fields'

/** What every field of an input's card gets. */
export type FieldsProps = {
  entry: InputEntry
  /** What the server said of it, by what of it. */
  refused: Record<string, string>
  set: (change: InputChange) => void
}

type AdapterFieldsProps = { entry: InputEntry; place: string; set: FieldsProps['set'] }

/** How an input shows in the form, and what it is called in the API. */
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
  const isTwice = namedTwice(setup).inputs.includes(field.trim())
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

/** The same words in Korean. */
function Korean({ entry, refused, set }: FieldsProps) {
  const { t } = useTranslation('workflowApi')
  const words = entry.adapter.translations?.ko ?? {}
  const say = (change: InputWords) => set({ translations: withWords(entry.adapter, 'ko', change) })
  return (
    <details className={styles.korean} open={Object.keys(words).length > 0 || undefined}>
      <summary>{t('fields.korean')}</summary>
      <TextField
        label={t('fields.nameKo')}
        value={words.name ?? ''}
        maxLength={MAX_WORD}
        error={refused['translations.ko.name']}
        onChange={(event) => say({ name: event.target.value })}
      />
      <TextArea
        label={t('fields.tooltipKo')}
        rows={2}
        value={words.tooltip ?? ''}
        maxLength={MAX_TOOLTIP}
        error={refused['translations.ko.tooltip']}
        onChange={(event) => say({ tooltip: event.target.value })}
      />
    </details>
  )
}
