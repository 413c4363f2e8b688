import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDuration, formatMoment } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { Button } from '@/shared/ui/button'
import { CopyButton } from '@/shared/ui/copy-button'
import { toast } from '@/shared/ui/toast'
import { useResendAttempt } from '../api'
import { attemptErrorOf, MAX_ATTEMPTS, readable, tookMs } from '../model'
import type { Attempt } from '../types'
import { useEventWords, useRefusalToast } from '../use-words'
import styles from './attempt-view.module.css'

/** One attempt: request, response, and a resend button. */
export function AttemptView({ attempt }: { attempt: Attempt }) {
  const { t } = useTranslation('webhooks')
  const id = useId()
  const words = useEventWords()
  return (
    <section className={styles.view} aria-labelledby={id}>
      <div className={styles.head}>
        <h3 id={id}>{words.name(attempt.webhookEventEmbed.name)}</h3>
        <Resend attempt={attempt} spent={attempt.attempts >= MAX_ATTEMPTS} />
      </div>
      <Facts attempt={attempt} />
      {attempt.error !== null && <Problem error={attempt.error} />}
      <Text title={t('attempt.payload')} text={attempt.payload} />
      <Text title={t('attempt.response')} text={attempt.response} />
    </section>
  )
}

/** Why there was no response. */
function Problem({ error }: { error: string }) {
  const { t } = useTranslation('webhooks')
  const known = attemptErrorOf(error)
  return <p className={styles.error}>{known ? t(`attempt.errors.${known}`) : error}</p>
}

function Resend({ attempt, spent }: { attempt: Attempt; spent: boolean }) {
  const { t } = useTranslation('webhooks')
  const id = useId()
  const showRefusal = useRefusalToast()
  const resend = useResendAttempt()
  const send = () =>
    resend.mutate(attempt._id, {
      onSuccess: () => toast.success(t('told.resent')),
      onError: (error) => showRefusal(error, t('told.resendFailed')),
    })
  return (
    <div className={styles.resend}>
      <Button
        size="small"
        icon="reset"
        busy={resend.isPending}
        disabled={spent}
        aria-describedby={spent ? id : undefined}
        onClick={send}
      >
        {t('attempt.resend')}
      </Button>
      {spent && (
        <p id={id} className={styles.note}>
          {t('attempt.spent', { most: MAX_ATTEMPTS })}
        </p>
      )}
    </div>
  )
}

function Facts({ attempt }: { attempt: Attempt }) {
  const { t, i18n } = useTranslation('webhooks')
  const { job, groupId, status, responseStatus, attemptNumber, attemptAt, nextAttemptAt } = attempt
  const took = tookMs(attempt)
  const moment = (at: string) => <time dateTime={at}>{formatMoment(at, i18n.language)}</time>
  return (
    <dl className={styles.facts}>
      <dt>{t('attempt.status')}</dt>
      <dd>{responseStatus === null ? t(`statuses.${status}`) : `${t(`statuses.${status}`)} (${responseStatus})`}</dd>
      <dt>{t('attempt.number')}</dt>
      <dd>{attemptNumber}</dd>
      <dt>{t('attempt.at')}</dt>
      <dd>{moment(attemptAt)}</dd>
      {took !== null && (
        <>
          <dt>{t('attempt.took')}</dt>
          <dd>{formatDuration(took)}</dd>
        </>
      )}
      {nextAttemptAt !== null && (
        <>
          <dt>{t('attempt.next')}</dt>
          <dd>{moment(nextAttemptAt)}</dd>
        </>
      )}
      {job !== null && (
        <>
          <dt>{t('attempt.job')}</dt>
          <dd>
            <Link to={paths.job(job)}>{job}</Link>
          </dd>
        </>
      )}
      <dt>{t('attempt.group')}</dt>
      <dd>
        <code>{groupId}</code>
      </dd>
    </dl>
  )
}

function Text({ title, text }: { title: string; text: string }) {
  const { t } = useTranslation()
  const { t: own } = useTranslation('webhooks')
  const id = useId()
  return (
    <section className={styles.text} aria-labelledby={id}>
      <div className={styles.textHead}>
        <h4 id={id}>{title}</h4>
        {text !== '' && <CopyButton text={text} label={t('copy')} />}
      </div>
      {text === '' ? (
        <p className={styles.note}>{own('attempt.noData')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable.
        <pre tabIndex={0}>{readable(text)}</pre>
      )}
    </section>
  )
}
