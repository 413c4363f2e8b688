import { useTranslation } from 'react-i18next'
import { isBigInteger } from '@/shared/lib/big-integers'
import { FieldError, fieldClasses, TextArea, TextField } from '@/shared/ui/field'
import { NumberInput } from '@/shared/ui/schema-form/number-input'
import { Segments } from '@/shared/ui/segments'
import { Select } from '@/shared/ui/select'
import { Switch } from '@/shared/ui/switch'
import { nodeLimits, offersOf, seedOf, typeWord } from '../model'
import type { FieldsProps } from './adapter-fields'
import styles from './adapter-fields.module.css'
import { Labeled } from './labeled'

/** The default value, edited with the same control as in the form. Files have none; a run may go without them. */
export function DefaultField(props: FieldsProps) {
  switch (props.entry.adapter.uiType) {
    case 'toggle':
      return <Toggle {...props} />
    case 'seed':
      return <Seed {...props} />
    case 'range':
      return <NumberDefault {...props} />
    case 'select':
    case 'model':
      return <Choices {...props} />
    case 'image':
    case 'video':
    case 'audio':
    case 'textfile':
      return <FileNeed {...props} />
    default:
      return <Words {...props} />
  }
}

/** Whether a run may go without the file. Nodes that require it are left out then. */
function FileNeed({ entry, refused, set }: FieldsProps) {
  const { t } = useTranslation('workflowApi')
  const label = t('fields.fileNeed')
  const isOptional = entry.adapter.isOptional === true
  return (
    <div className={fieldClasses.field}>
      <span className={fieldClasses.label}>{label}</span>
      <Switch aria-label={label} checked={isOptional} onChange={(value) => set({ isOptional: value || undefined })}>
        {t(isOptional ? 'fields.fileOptional' : 'fields.fileRequired')}
      </Switch>
      {refused.isOptional && <FieldError>{refused.isOptional}</FieldError>}
    </div>
  )
}

function Toggle({ entry, set }: FieldsProps) {
  const { t } = useTranslation('workflowApi')
  const label = t('fields.default')
  return (
    <div className={fieldClasses.field}>
      <span className={fieldClasses.label}>{label}</span>
      <Switch aria-label={label} checked={entry.adapter.default === true} onChange={(value) => set({ default: value })}>
        {t(entry.adapter.default === true ? 'fields.on' : 'fields.off')}
      </Switch>
    </div>
  )
}

/** A new seed for each run, or a fixed number. */
function Seed({ entry, refused, set }: FieldsProps) {
  const { t } = useTranslation('workflowApi')
  const { isRandom, default: value } = entry.adapter
  const random = isRandom !== false
  return (
    <div className={fieldClasses.field}>
      <span className={fieldClasses.label}>{t('fields.seed')}</span>
      <div className={styles.seed}>
        <Segments
          label={t('fields.seed')}
          options={[
            { key: 'random', title: t('fields.random') },
            { key: 'fixed', title: t('fields.fixed') },
          ]}
          value={random ? 'random' : 'fixed'}
          onChange={(mode) => {
            if ((mode === 'random') !== random) set(seedOf(mode === 'random', nodeLimits(entry).max, Math.random))
          }}
        />
        {!random && (
          <NumberInput
            aria-label={t('fields.default')}
            integer
            value={numberOf(value)}
            onChange={(next) => set({ default: next ?? undefined })}
          />
        )}
      </div>
      {refused.default && <FieldError>{refused.default}</FieldError>}
    </div>
  )
}

const numberOf = (value: unknown) => (typeof value === 'number' || isBigInteger(value) ? value : undefined)

function NumberDefault({ entry, refused, set }: FieldsProps) {
  const { t } = useTranslation('workflowApi')
  const value = entry.adapter.default
  return (
    <Labeled label={t('fields.default')} error={refused.default}>
      {(control) => (
        <NumberInput
          {...control}
          integer={typeWord(entry) === 'INT'}
          value={numberOf(value)}
          onChange={(next) => set({ default: next ?? undefined })}
        />
      )}
    </Labeled>
  )
}

function Choices(props: FieldsProps) {
  const { entry, refused, set } = props
  const { t } = useTranslation('workflowApi')
  const offers = offersOf(entry).filter(({ offered }) => offered)
  if (offers.length === 0) return <Words {...props} />
  const at = offers.findIndex(({ value }) => value === entry.adapter.default)
  return (
    <Labeled label={t('fields.default')} error={refused.default}>
      {(control) => (
        <Select
          {...control}
          value={at}
          onChange={(event) => set({ default: offers[Number(event.target.value)]?.value })}
        >
          {at < 0 && <option value={-1}>{t('fields.asTheNode')}</option>}
          {offers.map(({ value, label }, index) => (
            <option key={`${typeof value} ${value}`} value={index}>
              {label || String(value)}
            </option>
          ))}
        </Select>
      )}
    </Labeled>
  )
}

function Words({ entry, refused, set }: FieldsProps) {
  const { t } = useTranslation('workflowApi')
  const { uiType, default: value } = entry.adapter
  const control = {
    label: t('fields.default'),
    value: typeof value === 'string' ? value : '',
    error: refused.default,
  }
  return uiType === 'textarea' ? (
    <TextArea {...control} onChange={(event) => set({ default: event.target.value })} />
  ) : (
    <TextField {...control} onChange={(event) => set({ default: event.target.value })} />
  )
}
