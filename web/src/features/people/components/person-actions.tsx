import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/features/auth'
import { plansQuery } from '@/features/billing'
import { BanFields, isComplete, MAX_WORDS, NO_BAN } from '@/features/moderation'
import { isApiError } from '@/shared/api/errors'
import type { PersonDetail } from '@/shared/api/types'
import { endOfDay, isFuture } from '@/shared/lib/days'
import { formatNumber } from '@/shared/lib/format'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { Dialog, useConfirm } from '@/shared/ui/dialog'
import { TextArea, TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { SelectField } from '@/shared/ui/select'
import { toast } from '@/shared/ui/toast'
import { useBan, useConfirmAddress, useGivePlan, useGrant, useSetRole, useUnban, useWarn } from '../api'
import { grantedAmount, MAX_GRANT, MAX_REASON } from '../model'
import styles from './person-actions.module.css'

/** Admin actions on a person. Each asks first, notifies the person, and is logged. */
export function PersonActions({ person }: { person: PersonDetail }) {
  const { t } = useTranslation('people')
  const me = useUser()
  const confirm = useConfirm()
  const refused = useRefusal()
  const unban = useUnban(person._id)
  const role = useSetRole(person._id)
  const address = useConfirmAddress(person._id)
  const [open, setOpen] = useState<'ban' | 'warn' | 'grant' | 'plan'>()
  const isAdmin = person.roles.includes('Admin')
  const { name } = person
  const lift = async () => {
    const yes = await confirm({ title: t('unbanTitle', { name }), text: t('unbanText'), action: t('unban') })
    if (yes) unban.mutate(undefined, { onSuccess: () => toast.success(t('unbanned')), onError: refused })
  }
  const confirmAddress = async () => {
    const { email } = person
    const yes = await confirm({
      title: t('confirmTitle', { email }),
      text: t('confirmText'),
      action: t('confirmAddress'),
    })
    if (yes) address.mutate(undefined, { onSuccess: () => toast.success(t('addressConfirmed')), onError: refused })
  }
  const setRole = async () => {
    const yes = await confirm({
      title: t(isAdmin ? 'demoteTitle' : 'promoteTitle', { name }),
      text: t(isAdmin ? 'demoteText' : 'promoteText'),
      action: t(isAdmin ? 'demote' : 'promote'),
      danger: true,
    })
    if (!yes) return
    role.mutate(!isAdmin, {
      onSuccess: () => toast.success(t(isAdmin ? 'demoted' : 'promoted', { name })),
      onError: refused,
    })
  }
  return (
    <div className={styles.actions}>
      <Button icon="warning" onClick={() => setOpen('warn')}>
        {t('warn')}
      </Button>
      <Button icon="bolt" onClick={() => setOpen('grant')}>
        {t('grant')}
      </Button>
      <Button icon="star" onClick={() => setOpen('plan')}>
        {t('givePlan')}
      </Button>
      {!person.emailVerified && (
        <Button icon="check" busy={address.isPending} onClick={() => void confirmAddress()}>
          {t('confirmAddress')}
        </Button>
      )}
      {!isAdmin && (
        <Button tone="danger" icon="ban" onClick={() => setOpen('ban')}>
          {t(person.ban ? 'banAnew' : 'ban')}
        </Button>
      )}
      {person.ban && (
        <Button icon="reset" busy={unban.isPending} onClick={() => void lift()}>
          {t('unban')}
        </Button>
      )}
      {me?._id !== person._id && (
        <Button tone="outline" icon="shield" busy={role.isPending} onClick={() => void setRole()}>
          {t(isAdmin ? 'demote' : 'promote')}
        </Button>
      )}
      <Dialog open={open === 'warn'} onClose={() => setOpen(undefined)} title={t('warnTitle', { name })}>
        <WarnForm id={person._id} onClose={() => setOpen(undefined)} />
      </Dialog>
      <Dialog open={open === 'grant'} onClose={() => setOpen(undefined)} title={t('grantTitle', { name })}>
        <GrantForm id={person._id} onClose={() => setOpen(undefined)} />
      </Dialog>
      <Dialog open={open === 'plan'} onClose={() => setOpen(undefined)} title={t('planTitle', { name })}>
        <PlanForm person={person} onClose={() => setOpen(undefined)} />
      </Dialog>
      <Dialog open={open === 'ban'} onClose={() => setOpen(undefined)} title={t('banTitle', { name })}>
        <BanForm id={person._id} onClose={() => setOpen(undefined)} />
      </Dialog>
    </div>
  )
}

type FormProps = { id: string; onClose: () => void }

function WarnForm({ id, onClose }: FormProps) {
  const { t } = useTranslation('people')
  const refused = useRefusal()
  const warn = useWarn(id)
  const form = useForm({
    start: { text: '' },
    check: ({ text }) => ({ text: isComplete(text) ? undefined : t('words') }),
    send: ({ text }) => {
      const done = () => {
        toast.success(t('warned'))
        onClose()
      }
      warn.mutate(text.trim(), { onSuccess: done, onError: refused })
    },
  })
  return (
    <form {...form.form} className={styles.form}>
      <TextArea label={t('warning')} help={t('warningHelp')} maxLength={MAX_WORDS} {...form.field('text')} />
      <FormActions onCancel={onClose} busy={warn.isPending}>
        {t('warn')}
      </FormActions>
    </form>
  )
}

function BanForm({ id, onClose }: FormProps) {
  const { t } = useTranslation('people')
  const refused = useRefusal()
  const ban = useBan(id)
  const form = useForm({
    start: NO_BAN,
    check: ({ reason }) => ({ reason: isComplete(reason) ? undefined : t('words') }),
    send: (draft) => {
      const done = () => {
        toast.success(t('bannedDone'))
        onClose()
      }
      ban.mutate(draft, { onSuccess: done, onError: refused })
    },
  })
  return (
    <form {...form.form} className={styles.form}>
      <p className={styles.lead}>{t('banText')}</p>
      <BanFields ban={form.values} onChange={form.set} error={form.problems.reason} />
      <FormActions onCancel={onClose} tone="danger" icon="ban" busy={ban.isPending}>
        {t('ban')}
      </FormActions>
    </form>
  )
}

/** Grants credits. The reason is shown in the person's statement; one reason grants only once. */
function GrantForm({ id, onClose }: { id: string; onClose: () => void }) {
  const { t, i18n } = useTranslation('people')
  const refused = useRefusal()
  const grant = useGrant(id)
  const form = useForm({
    start: { amount: '', reason: '', until: '' },
    check: ({ amount, reason, until }) => ({
      amount:
        grantedAmount(amount) === null ? t('amountWrong', { most: formatNumber(MAX_GRANT, i18n.language) }) : undefined,
      reason: reason.trim() ? undefined : t('reasonMissing'),
      until: isFuture(until) ? undefined : t('untilWrong'),
    }),
    send: ({ amount, reason, until }) => {
      const count = grantedAmount(amount) ?? 0
      const done = () => {
        toast.success(t('granted', { number: formatNumber(count, i18n.language) }))
        onClose()
      }
      const body = { amount: count, reason: reason.trim(), ...(until && { expiresAt: endOfDay(until) }) }
      grant.mutate(body, { onSuccess: done, onError: refused })
    },
  })
  return (
    <form {...form.form} className={styles.form}>
      <TextField label={t('amount')} inputMode="numeric" autoComplete="off" {...form.field('amount')} />
      <TextField label={t('reason')} help={t('reasonHelp')} maxLength={MAX_REASON} {...form.field('reason')} />
      <TextField label={t('until')} help={t('untilHelp')} type="date" {...form.field('until')} />
      <FormActions onCancel={onClose} busy={grant.isPending}>
        {t('grant')}
      </FormActions>
    </form>
  )
}

/** Gives a plan, for a time or without an end. */
function PlanForm({ person, onClose }: { person: PersonDetail; onClose: () => void }) {
  const { t } = useTranslation('people')
  const refused = useRefusal()
  const plans = useQuery(plansQuery())
  const give = useGivePlan(person._id)
  const form = useForm({
    start: { plan: person.plan, until: '' },
    check: ({ until }) => ({ until: isFuture(until) ? undefined : t('untilWrong') }),
    send: ({ plan, until }) => {
      const done = () => {
        toast.success(t('planGiven', { plan }))
        onClose()
      }
      give.mutate({ plan, until: until ? endOfDay(until) : null }, { onSuccess: done, onError: refused })
    },
  })
  return (
    <form {...form.form} className={styles.form}>
      <SelectField
        label={t('plan')}
        value={form.values.plan}
        onChange={({ target }) => form.set({ plan: target.value })}
      >
        {(plans.data?.map(({ name }) => name) ?? [person.plan]).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <TextField
        label={t('until')}
        help={t('planUntilHelp', { plan: person.ownPlan })}
        type="date"
        {...form.field('until')}
      />
      <FormActions onCancel={onClose} busy={give.isPending}>
        {t('givePlan')}
      </FormActions>
    </form>
  )
}

/** Shows why an action was refused. */
function useRefusal() {
  const { t } = useTranslation('people')
  const text = useProblemText()
  return (error: unknown) => {
    const codes: Record<string, string> = {
      BAN_ADMIN: t('refused.banAdmin'),
      NOT_BANNED: t('refused.notBanned'),
      LAST_ADMIN: t('refused.lastAdmin'),
      ROLE_OWN: t('refused.roleOwn'),
    }
    toast.error((isApiError(error) && codes[error.code]) || t('refused.other', { message: text(error) }), error)
  }
}
