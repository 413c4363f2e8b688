import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { ReportKind, ReportReason } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { FieldError, TextArea } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { toast } from '@/shared/ui/toast'
import { useReport } from '../api'
import { MAX_WORDS, REASONS } from '../model'
import styles from './report-form.module.css'

type ReportFormProps = { kind: ReportKind; id: string; onClose: () => void }

/** Reports content to the moderators. Loaded on demand. */
export default function ReportForm({ kind, id, onClose }: ReportFormProps) {
  const { t } = useTranslation('moderation')
  const text = useProblemText()
  const report = useReport()
  const group = useId()
  const form = useForm({
    start: { reason: undefined as ReportReason | undefined, words: '' },
    check: ({ reason, words }) => ({
      reason: reason ? undefined : t('report.choose'),
      words: reason === 'Other' && !words.trim() ? t('report.explain') : undefined,
    }),
    error: report.error,
    send: ({ reason, words }) =>
      reason &&
      report.mutate(
        { kind, id, reason, text: words.trim() },
        {
          onSuccess: () => {
            toast.success(t('report.sent'), t('report.sentText'))
            onClose()
          },
        },
      ),
  })
  const { refusal, problems } = form
  const { reason } = form.values
  return (
    <form {...form.form} className={styles.form}>
      <p className={styles.lead}>{t(`report.lead.${kind}`)}</p>
      <fieldset
        className={styles.reasons}
        data-invalid={problems.reason ? true : undefined}
        aria-describedby={problems.reason ? `${group}-error` : undefined}
      >
        <legend className="visually-hidden">{t('report.reason')}</legend>
        {REASONS.map((one) => (
          <label key={one} className={styles.reason}>
            <input
              type="radio"
              name={group}
              value={one}
              checked={reason === one}
              onChange={() => form.set({ reason: one })}
            />
            <span>
              <span className={styles.name}>{t(`reasons.${one}`)}</span>
              <span className={styles.help}>{t(`reasonHelp.${one}`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {problems.reason && <FieldError id={`${group}-error`}>{problems.reason}</FieldError>}
      <TextArea
        label={t(reason === 'Other' ? 'report.textNeeded' : 'report.text')}
        help={t('report.textHelp')}
        maxLength={MAX_WORDS}
        {...form.field('words')}
      />
      {refusal !== null && (
        <FieldError>
          {isApiError(refusal) && refusal.code === 'REPORT_OWN'
            ? t('report.own')
            : isApiError(refusal, 404)
              ? t('report.gone')
              : text(refusal)}
        </FieldError>
      )}
      <FormActions onCancel={onClose} icon="flag" busy={report.isPending}>
        {t('report.send')}
      </FormActions>
    </form>
  )
}
