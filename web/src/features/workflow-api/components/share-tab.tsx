import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatRelative } from '@/shared/lib/format'
import { useFailureToast } from '@/shared/lib/use-failure-toast'
import { useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { useConfirm } from '@/shared/ui/dialog'
import { TextField } from '@/shared/ui/field'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { sharedUsersQuery, useShareApi, useUnshareApi } from '../api'
import { isEmail, shareRefusalOf } from '../model'
import type { SharedUser } from '../types'
import styles from './share-tab.module.css'

/** Who else may run the API. Users are added by their e-mail address. */
export default function ShareTab({ api }: { api: string | null }) {
  const { t } = useTranslation('workflowApi')
  if (api === null) return <EmptyState icon="people" title={t('share.first')} text={t('share.firstText')} />
  return (
    <div className={styles.tab}>
      <p className={styles.lead}>{t('share.lead')}</p>
      <ShareForm api={api} />
      <SharedUsers api={api} />
    </div>
  )
}

function ShareForm({ api }: { api: string }) {
  const { t } = useTranslation('workflowApi')
  const showFailure = useFailureToast()
  const share = useShareApi(api)
  const form = useForm({
    start: { email: '' },
    check: ({ email }) => {
      const typed = email.trim()
      if (!typed) return { email: t('share.missing') }
      return { email: isEmail(typed) ? undefined : t('share.invalid') }
    },
    error: share.error,
    refused: (error) => {
      const refusal = shareRefusalOf(error)
      return { email: refusal ? t(`share.refused.${refusal}`) : undefined }
    },
    send: ({ email }) =>
      share.mutate(email.trim(), {
        onSuccess: () => {
          toast.success(t('share.done'))
          form.reset()
        },
        onError: (error) => {
          const refusal = shareRefusalOf(error)
          if (refusal) toast.error(t(`share.refused.${refusal}`))
          else showFailure(error, t('share.failed'))
        },
      }),
  })
  return (
    <form {...form.form} className={styles.form}>
      <TextField
        label={t('share.email')}
        type="email"
        autoComplete="off"
        placeholder={t('share.placeholder')}
        {...form.field('email')}
      />
      <Button type="submit" tone="outline" icon="share" busy={share.isPending}>
        {t('share.add')}
      </Button>
    </form>
  )
}

function SharedUsers({ api }: { api: string }) {
  const { t } = useTranslation('workflowApi')
  const users = useQuery(sharedUsersQuery(api))
  return (
    <section className={styles.section} aria-labelledby="api-shared">
      <h2 id="api-shared" className={styles.heading}>
        {t('share.list')}
        {users.data && <span>{users.data.length}</span>}
      </h2>
      {users.isPending && <Skeleton style={{ height: 66, borderRadius: 12 }} />}
      {users.isError && !users.data && <ErrorState error={users.error} onRetry={() => void users.refetch()} />}
      {users.data?.length === 0 && <EmptyState icon="people" title={t('share.none')} text={t('share.noneText')} />}
      <ul className={styles.list}>
        {users.data?.map((user) => (
          <SharedUserRow key={user._id} user={user} />
        ))}
      </ul>
    </section>
  )
}

function SharedUserRow({ user }: { user: SharedUser }) {
  const { t, i18n } = useTranslation('workflowApi')
  const showFailure = useFailureToast()
  const confirm = useConfirm()
  const unshare = useUnshareApi()
  const { email, name } = user.sharedUser
  const ask = async () => {
    const yes = await confirm({
      title: t('share.removeTitle', { email }),
      text: t('share.removeText'),
      action: t('share.remove'),
      danger: true,
    })
    if (!yes) return
    unshare.mutate(user._id, {
      onSuccess: () => toast.success(t('share.removed')),
      onError: (error) => showFailure(error, t('share.removeFailed')),
    })
  }
  return (
    <li className={styles.user}>
      <div>
        <p className={styles.email}>{email}</p>
        <p className={styles.note}>
          {name}
          <time dateTime={user.createdAt}>
            {t('share.since', { when: formatRelative(user.createdAt, i18n.language) })}
          </time>
        </p>
      </div>
      <Button
        size="small"
        tone="ghost"
        icon="trash"
        busy={unshare.isPending}
        aria-label={t('share.removeOf', { email })}
        onClick={() => void ask()}
      />
    </li>
  )
}
