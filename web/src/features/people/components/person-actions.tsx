import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/features/auth'
import { BanFields, isComplete, MAX_WORDS, NO_BAN } from '@/features/moderation'
import { isApiError } from '@/shared/api/errors'
import type { PersonDetail } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { Dialog, useConfirm } from '@/shared/ui/dialog'
import { TextArea } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { useToast } from '@/shared/ui/toast'
import { useBan, useSetRole, useUnban, useWarn } from '../api'
import styles from './person-actions.module.css'

/** What an admin may do about somebody. Each of it asks first, tells the person and stands in the audit log. */
export function PersonActions({ person }: { person: PersonDetail }) {
  const { t } = useTranslation('people')
  const me = useUser()
  const confirm = useConfirm()
  const toast = useToast()
  const refused = useRefusal()
  const unban = useUnban(person._id)
  const role = useSetRole(person._id)
  const [open, setOpen] = useState<'ban' | 'warn'>()
  const isAdmin = person.roles.includes('Admin')
  const { name } = person
  const lift = async () => {
    const yes = await confirm({ title: t('unbanTitle', { name }), text: t('unbanText'), action: t('unban') })
    if (yes) unban.mutate(undefined, { onSuccess: () => toast.success(t('unbanned')), onError: refused })
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
      <Dialog open={open === 'ban'} onClose={() => setOpen(undefined)} title={t('banTitle', { name })}>
        <BanForm id={person._id} onClose={() => setOpen(undefined)} />
      </Dialog>
    </div>
  )
}

type FormProps = { id: string; onClose: () => void }

function WarnForm({ id, onClose }: FormProps) {
  const { t } = useTranslation('people')
  const toast = useToast()
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
  const toast = useToast()
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

/** Says why something was not done. */
function useRefusal() {
  const { t } = useTranslation('people')
  const toast = useToast()
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
