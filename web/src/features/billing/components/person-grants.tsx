import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PersonGrant } from '@/shared/api/types'
import { formatNumber, formatUtc } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { FieldError, TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { toast } from '@/shared/ui/toast'
import { useTakeBackCredits } from '../money-api'
import { canTakeBack, DEBIT_FIELDS, leftBy, MAX_DEBIT_REASON, readDebit, reasonOf } from '../money-model'
import { useRefusedFields } from '../refused-fields'
import styles from './person-money.module.css'

/** The grants of a person with credits left or held. */
export function PersonGrants({ user, grants }: { user: string; grants: PersonGrant[] }) {
  const { t } = useTranslation('money')
  return (
    <section className={styles.part} aria-labelledby="person-grants">
      <h4 id="person-grants" className={styles.subtitle}>
        {t('grants')}
      </h4>
      {grants.length === 0 ? (
        <p className={styles.muted}>{t('grantsEmpty')}</p>
      ) : (
        <ul className={styles.list}>
          {grants.map((grant) => (
            <li key={grant._id} className={styles.row}>
              <GrantLine user={user} grant={grant} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

type GrantProps = { user: string; grant: PersonGrant }

function useLeft(): (grant: PersonGrant) => string {
  const { t, i18n } = useTranslation('money')
  const number = (value: number) => formatNumber(value, i18n.language)
  return ({ remaining, amount, held }) =>
    t(held > 0 ? 'leftAndHeld' : 'left', { remaining: number(remaining), amount: number(amount), held: number(held) })
}

function GrantLine({ user, grant }: GrantProps) {
  const { t } = useTranslation('money')
  const left = useLeft()(grant)
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  const kind = t(`kind.${grant.kind}`)
  const reason = reasonOf(grant)
  return (
    <>
      <span className={styles.words}>
        <span className={styles.name}>{kind}</span>
        {reason && <span>{reason}</span>}
        <span>{left}</span>
        <span className={styles.muted}>
          {grant.expiresAt ? t('expires', { time: formatUtc(grant.expiresAt) }) : t('noExpiry')}
        </span>
      </span>
      {grant.order ? (
        <ButtonLink
          size="small"
          tone="outline"
          to={paths.admin.orders(grant.order)}
          aria-label={t('orderOf', { kind })}
        >
          {t('order')}
        </ButtonLink>
      ) : (
        canTakeBack(grant) && (
          <Button
            size="small"
            tone="danger"
            aria-label={t('takeBackOf', { kind: reason ?? kind, left })}
            onClick={() => setIsOpen(true)}
          >
            {t('takeBack')}
          </Button>
        )
      )}
      <Dialog open={isOpen} onClose={close} title={t('form.title')}>
        <TakeBackForm user={user} grant={grant} onClose={close} />
      </Dialog>
    </>
  )
}

/** Takes credits of one grant back, with a reason for the audit log. */
function TakeBackForm({ user, grant, onClose }: GrantProps & { onClose: () => void }) {
  const { t, i18n } = useTranslation('money')
  const text = useProblemText()
  const left = useLeft()(grant)
  const takeBack = useTakeBackCredits(user, grant.source)
  const refusedFields = useRefusedFields()
  const number = (value: number) => formatNumber(value, i18n.language)
  const most = number(grant.remaining)
  const wrong = { amount: t('form.wrongAmount', { most }), reason: t('form.wrongReason') }
  const form = useForm({
    start: { amount: '', reason: '' },
    check: (draft) => Object.fromEntries(readDebit(draft, grant).wrong.map((field) => [field, wrong[field]])),
    error: takeBack.error,
    refused: (error) => refusedFields(error, DEBIT_FIELDS),
    send: (draft) => {
      const { body } = readDebit(draft, grant)
      takeBack.mutate(body, {
        onSuccess: () => {
          toast.success(t('form.done', { number: number(body.amount) }))
          onClose()
        },
      })
    },
  })
  const available = leftBy(form.refusal)
  return (
    <form {...form.form} className={styles.form}>
      <p>{t('form.text', { kind: t(`kind.${grant.kind}`), left })}</p>
      <TextField
        label={t('form.amount')}
        help={t('form.most', { most })}
        inputMode="numeric"
        autoComplete="off"
        {...form.field('amount')}
      />
      <TextField
        label={t('form.reason')}
        help={t('form.reasonHelp')}
        maxLength={MAX_DEBIT_REASON}
        autoComplete="off"
        {...form.field('reason')}
      />
      {form.refusal !== null && (
        <FieldError>
          {available === null ? text(form.refusal) : t('form.used', { available: number(available) })}
        </FieldError>
      )}
      <FormActions onCancel={onClose} busy={takeBack.isPending} tone="danger">
        {t('form.send')}
      </FormActions>
    </form>
  )
}
