import { type SyntheticEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { ReportKind, ReportReason } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { FieldError, TextArea } from '@/shared/ui/field'
import { useToast } from '@/shared/ui/toast'
import { useReport } from '../api'
import { MAX_WORDS, REASONS } from '../model'
import styles from './report-form.module.css'

type ReportFormProps = { kind: ReportKind; id: string; onClose: () => void }

/** Tells the moderators of a thing, and why. A module of its own: it is loaded when somebody reports. */
export default function ReportForm({ kind, id, onClose }: ReportFormProps) {
  const { t } = useTranslation('moderation')
  const { t: common } = useTranslation()
  const text = useProblemText()
  const toast = useToast()
  const report = useReport()
  const group = useId()
  const [reason, setReason] = useState<ReportReason>()
  const [words, setWords] = useState('')
  const [problem, setProblem] = useState<'choose' | 'explain'>()
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (!reason) return setProblem('choose')
    if (reason === 'Other' && !words.trim()) return setProblem('explain')
    setProblem(undefined)
    report.mutate(
      { kind, id, reason, text: words.trim() },
      {
        onSuccess: () => {
          toast.success(t('report.sent'), t('report.sentText'))
          onClose()
        },
      },
    )
  }
  const refused = report.error
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p className={styles.lead}>{t(`report.lead.${kind}`)}</p>
      <fieldset className={styles.reasons} aria-describedby={problem === 'choose' ? `${group}-error` : undefined}>
        <legend className="visually-hidden">{t('report.reason')}</legend>
        {REASONS.map((one) => (
          <label key={one} className={styles.reason}>
            <input
              type="radio"
              name={group}
              value={one}
              checked={reason === one}
              onChange={() => {
                setReason(one)
                setProblem(undefined)
              }}
            />
            <span>
              <span className={styles.name}>{t(`reasons.${one}`)}</span>
              <span className={styles.help}>{t(`reasonHelp.${one}`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {problem === 'choose' && <FieldError id={`${group}-error`}>{t('report.choose')}</FieldError>}
      <TextArea
        label={t(reason === 'Other' ? 'report.textNeeded' : 'report.text')}
        help={t('report.textHelp')}
        maxLength={MAX_WORDS}
        value={words}
        error={problem === 'explain' ? t('report.explain') : undefined}
        onChange={(event) => setWords(event.target.value)}
      />
      {refused && (
        <FieldError>
          {isApiError(refused) && refused.code === 'REPORT_OWN'
            ? t('report.own')
            : isApiError(refused, 404)
              ? t('report.gone')
              : text(refused)}
        </FieldError>
      )}
      <div className={styles.actions}>
        <Button tone="ghost" onClick={onClose}>
          {common('cancel')}
        </Button>
        <Button type="submit" tone="primary" icon="flag" busy={report.isPending}>
          {t('report.send')}
        </Button>
      </div>
    </form>
  )
}
