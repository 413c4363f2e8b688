import { useTranslation } from 'react-i18next'
import { compareNumbers } from '@/shared/lib/big-integers'
import { NumberInput } from '@/shared/ui/schema-form/number-input'
import { nodeLimits, typeWord } from '../model'
import type { FieldsProps } from './adapter-fields'
import styles from './adapter-fields.module.css'
import { Labeled } from './labeled'

/** What a number is between where neither the node nor anybody says it. */
const USUAL = { min: 0, max: 100, step: 1 }

/** Between which numbers, and in which steps. */
export function RangeFields({ entry, refused, set }: FieldsProps) {
  const { t } = useTranslation('workflowApi')
  const { adapter } = entry
  const usual = { ...USUAL, ...nodeLimits(entry) }
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
