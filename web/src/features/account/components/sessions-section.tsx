import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Session } from '@/shared/api/types'
import { browserOf } from '@/shared/lib/browser-of'
import { formatRelative } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { useConfirm } from '@/shared/ui/dialog'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { sessionsQuery, useEndSession } from '../api'
import list from '../pages/account-page.module.css'
import styles from './account-tab.module.css'
import { Section } from './section'

export function SessionsSection() {
  const { t } = useTranslation('account')
  const sessions = useQuery(sessionsQuery())
  const end = useEndSessions()
  const confirm = useConfirm()
  const endOthers = async () => {
    const yes = await confirm({
      title: t('sessions.othersTitle'),
      text: t('sessions.othersText'),
      action: t('sessions.others'),
      danger: true,
    })
    if (yes) end.mutate('others')
  }
  return (
    <Section title={t('sessions.title')}>
      {sessions.isPending && <Skeleton style={{ height: 72, borderRadius: 12 }} />}
      {sessions.isError && !sessions.data && (
        <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />
      )}
      <ul className={list.list}>
        {sessions.data?.map((session) => (
          <SessionItem key={session._id} session={session} />
        ))}
      </ul>
      {sessions.data && sessions.data.length > 1 && (
        <div className={styles.buttons}>
          <Button busy={end.isPending} onClick={() => void endOthers()}>
            {t('sessions.others')}
          </Button>
        </div>
      )}
    </Section>
  )
}

function SessionItem({ session }: { session: Session }) {
  const { t, i18n } = useTranslation('account')
  const end = useEndSessions()
  const { browser, system } = browserOf(session.userAgent)
  const name = browser && system ? t('sessions.onSystem', { browser, system }) : (browser ?? t('sessions.unknown'))
  return (
    <li className={list.item}>
      <div>
        <p className={list.itemName}>{name}</p>
        <p className={list.note}>
          {session.address && <span>{session.address}</span>}
          <span>{t('sessions.lastSeen', { when: formatRelative(session.lastSeenAt, i18n.language) })}</span>
        </p>
      </div>
      {session.isCurrent ? (
        <Chip tone="live">{t('sessions.current')}</Chip>
      ) : (
        <Button
          size="small"
          busy={end.isPending}
          aria-label={t('sessions.signOutLabel', { name })}
          onClick={() => end.mutate(session._id)}
        >
          {t('sessions.signOut')}
        </Button>
      )}
    </li>
  )
}

function useEndSessions() {
  const { t } = useTranslation('account')
  const toasts = useResultToasts()
  const end = useEndSession()
  const mutate = (which: string) =>
    end.mutate(
      which,
      toasts(t('sessions.ended'), (message) => t('sessions.failed', { message })),
    )
  return { mutate, isPending: end.isPending }
}
