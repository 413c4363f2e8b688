import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PersonLine } from '@/features/moderation'
import type { AdminSubscription } from '@/shared/api/types'
import { formatUtcDay } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { type Column, DataTable } from '@/shared/ui/data-table'
import { Dialog } from '@/shared/ui/dialog'
import { FieldError, TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { toast } from '@/shared/ui/toast'
import { useEndSubscription } from '../calendar-api'
import { MAX_END_REASON } from '../calendar-model'
import { formatMoney } from '../orders-model'
import { useRefusedFields } from '../refused-fields'
import { isLive, MAX_TRIES, STATE_TONES, stateDay, stateOf } from '../subscription-model'
import styles from './calendar.module.css'

export function SubscriberTable({ rows }: { rows: AdminSubscription[] }) {
  const { t } = useTranslation('subscription')
  return <DataTable name="subscriptions" caption={t('subscribers.title')} rows={rows} columns={useColumns()} />
}

function useColumns(): Column<AdminSubscription>[] {
  const { t, i18n } = useTranslation('subscription')
  const nameOf = usePersonName()
  const words = (row: AdminSubscription) => t(`state.${stateOf(row)}`, { date: formatUtcDay(stateDay(row)) })
  const amount = (row: AdminSubscription) => formatMoney(row.amount, row.currency, i18n.language)
  const next = (row: AdminSubscription) =>
    isLive(row) && !row.isCanceled ? formatUtcDay(row.nextTryAt ?? row.periodUntil) : t('subscribers.none')
  return [
    {
      key: 'user',
      title: t('subscribers.user'),
      main: true,
      cell: ({ user }) => <PersonLine person={user} to={paths.admin.people} />,
      text: ({ user }) => nameOf(user),
    },
    { key: 'plan', title: t('plan'), cell: (row) => <Plan row={row} />, text: ({ plan }) => plan },
    {
      key: 'amount',
      title: t('price'),
      cell: (row) => <span className={styles.words}>{amount(row)}</span>,
      text: amount,
    },
    {
      key: 'status',
      title: t('subscribers.status'),
      cell: (row) => <Status row={row} words={words(row)} />,
      text: words,
    },
    {
      key: 'next',
      title: t('subscribers.next'),
      cell: (row) => <span className={styles.words}>{next(row)}</span>,
      text: next,
    },
    { key: 'actions', title: t('subscribers.actions'), cell: (row) => <End row={row} />, text: ({ _id }) => _id },
  ]
}

function Plan({ row: { plan, nextPlan } }: { row: AdminSubscription }) {
  const { t } = useTranslation('subscription')
  return <span>{nextPlan ? t('subscribers.thenPlan', { plan, next: nextPlan }) : plan}</span>
}

function Status({ row, words }: { row: AdminSubscription; words: string }) {
  const { t } = useTranslation('subscription')
  const state = stateOf(row)
  return (
    <span className={styles.status}>
      <Chip tone={STATE_TONES[state]}>{words}</Chip>
      {state === 'pastDue' && <span>{t('subscribers.tries', { tries: row.tries, most: MAX_TRIES })}</span>}
      {state === 'ended' && row.endReason && <span>{t(`subscribers.reasons.${row.endReason}`)}</span>}
    </span>
  )
}

function End({ row }: { row: AdminSubscription }) {
  const { t } = useTranslation('subscription')
  const nameOf = usePersonName()
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  if (!isLive(row)) return null
  const title = t('end.title', { plan: row.plan, user: nameOf(row.user) })
  return (
    <>
      <Button size="small" tone="danger" aria-label={title} onClick={() => setIsOpen(true)}>
        {t('end.open')}
      </Button>
      <Dialog open={isOpen} onClose={close} title={title}>
        <EndForm row={row} onClose={close} />
      </Dialog>
    </>
  )
}

function EndForm({ row, onClose }: { row: AdminSubscription; onClose: () => void }) {
  const { t } = useTranslation('subscription')
  const text = useProblemText()
  const end = useEndSubscription(row._id)
  const refusedFields = useRefusedFields()
  const form = useForm({
    start: { reason: '' },
    check: ({ reason }) => ({ reason: reason.trim() ? undefined : t('end.wrongReason') }),
    error: end.error,
    refused: (error) => refusedFields(error, ['reason']),
    send: ({ reason }) =>
      end.mutate(reason.trim(), {
        onSuccess: () => {
          toast.success(t('end.done'))
          onClose()
        },
      }),
  })
  return (
    <form {...form.form} className={styles.form}>
      <p>{t('end.text', { plan: row.plan })}</p>
      <TextField label={t('end.reason')} maxLength={MAX_END_REASON} autoComplete="off" {...form.field('reason')} />
      {form.refusal !== null && <FieldError>{text(form.refusal)}</FieldError>}
      <FormActions onCancel={onClose} busy={end.isPending} tone="danger">
        {t('end.open')}
      </FormActions>
    </form>
  )
}
