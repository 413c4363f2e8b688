import { type SyntheticEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/features/auth'
import { type BanDraft, BanFields, isComplete, MAX_WORDS, NO_BAN } from '@/features/moderation'
import { isApiError } from '@/shared/api/errors'
import type { PersonDetail } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { Dialog, useConfirm } from '@/shared/ui/dialog'
import { TextArea } from '@/shared/ui/field'
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
  const { t: common } = useTranslation()
  const toast = useToast()
  const refused = useRefusal()
  const warn = useWarn(id)
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isComplete(text)) return
    const done = () => {
      toast.success(t('warned'))
      onClose()
    }
    warn.mutate(text.trim(), { onSuccess: done, onError: refused })
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextArea
        label={t('warning')}
        help={t('warningHelp')}
        maxLength={MAX_WORDS}
        value={text}
        error={tried && !isComplete(text) ? t('words') : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <div className={styles.end}>
        <Button tone="ghost" onClick={onClose}>
          {common('cancel')}
        </Button>
        <Button type="submit" tone="primary" busy={warn.isPending}>
          {t('warn')}
        </Button>
      </div>
    </form>
  )
}

function BanForm({ id, onClose }: FormProps) {
  const { t } = useTranslation('people')
  const { t: common } = useTranslation()
  const toast = useToast()
  const refused = useRefusal()
  const ban = useBan(id)
  const [draft, setDraft] = useState<BanDraft>(NO_BAN)
  const [tried, setTried] = useState(false)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isComplete(draft.reason)) return
    const done = () => {
      toast.success(t('bannedDone'))
      onClose()
    }
    ban.mutate(draft, { onSuccess: done, onError: refused })
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p className={styles.lead}>{t('banText')}</p>
      <BanFields ban={draft} onChange={setDraft} error={tried && !isComplete(draft.reason) ? t('words') : undefined} />
      <div className={styles.end}>
        <Button tone="ghost" onClick={onClose}>
          {common('cancel')}
        </Button>
        <Button type="submit" tone="danger" icon="ban" busy={ban.isPending}>
          {t('ban')}
        </Button>
      </div>
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
