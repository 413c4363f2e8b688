import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/features/auth'
import { BanFields, isComplete, MAX_WORDS, NO_BAN } from '@/features/moderation'
import type { PersonDetail } from '@/shared/api/types'
import { useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { Dialog, useConfirm } from '@/shared/ui/dialog'
import { TextArea } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { useToast } from '@/shared/ui/toast'
import { useBan, useConfirmAddress, useSetRole, useUnban, useWarn } from '../api'
import { GrantForm } from './grant-form'
import styles from './person-actions.module.css'
import { useRefusal } from './use-refusal'

/** What an admin may do about somebody. Each of it asks first, tells the person and stands in the audit log. */
export function PersonActions({ person }: { person: PersonDetail }) {
  const { t } = useTranslation('people')
  const me = useUser()
  const confirm = useConfirm()
  const toast = useToast()
  const refused = useRefusal()
  const unban = useUnban(person._id)
  const role = useSetRole(person._id)
  const address = useConfirmAddress(person._id)
  const [open, setOpen] = useState<'ban' | 'warn' | 'grant'>()
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
