import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Notification } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { formatDate, formatNumber, formatRelative } from '@/shared/lib/format'
import { usePersonName } from '@/shared/lib/person-name'
import { Avatar } from '@/shared/ui/avatar'
import { BrandLogo } from '@/shared/ui/brand-logo'
import { Icon, type IconName } from '@/shared/ui/icon'
import { openModal } from '@/shared/ui/modals'
import { RetryingImage } from '@/shared/ui/retrying-image'
import { plainText } from '@/shared/ui/rich-text'
import { Skeleton } from '@/shared/ui/states'
import { useMarkSeen } from '../api/inbox'
import { isOfficial, sentence, targetOf } from '../model'
import styles from './notification-row.module.css'

/** One notification. A press marks it as seen and opens what it is about. */
export function NotificationRow({ notification, onGo }: { notification: Notification; onGo?: () => void }) {
  const { t, i18n } = useTranslation('notifications')
  const check = useMarkSeen()
  const sentenceOf = useSentence()
  const unread = !notification.checkedAt
  const see = () => {
    if (unread)
      check.mutate({ ids: new Set([notification._id]), kinds: new Map([[notification._id, notification.type]]) })
  }
  // Users write text; official notices are HTML.
  const quote = notification.type === 'NOTICE' ? plainText(notification.content ?? '') : (notification.content ?? '')
  return (
    <li className={classNames(styles.row, unread && styles.unread)}>
      <Face
        notification={notification}
        onGo={() => {
          see()
          onGo?.()
        }}
      >
        <Portrait notification={notification} />
        <span className={styles.words}>
          <span className={styles.sentence}>{sentenceOf(notification)}</span>
          <span className={styles.note}>
            <time dateTime={notification.createdAt} title={formatDate(notification.createdAt)}>
              {formatRelative(notification.createdAt, i18n.language)}
            </time>
            {quote && <span className={styles.quote}>{quote}</span>}
          </span>
        </span>
        {notification.outputAsset?.thumbnailUrl && (
          <RetryingImage className={styles.picture} src={notification.outputAsset.thumbnailUrl} alt="" loading="lazy" />
        )}
        {unread && <span className="visually-hidden">{t('new')}</span>}
      </Face>
      {unread && (
        <button type="button" className={styles.check} aria-label={t('check')} title={t('check')} onClick={see}>
          <span className={styles.dot} />
        </button>
      )}
    </li>
  )
}

/** A link to its target. Text is opened in a layer above the page. */
function Face({ notification, onGo, children }: { notification: Notification; onGo: () => void; children: ReactNode }) {
  const sentenceOf = useSentence()
  const target = targetOf(notification)
  if (!target) return <div className={classNames(styles.face, styles.still)}>{children}</div>
  if ('html' in target) {
    const open = () => {
      openModal('notice', {
        title: sentenceOf(notification),
        html: target.html,
        at: notification.createdAt,
        to: target.to,
      })
      onGo()
    }
    return (
      <button type="button" className={styles.face} aria-haspopup="dialog" onClick={open}>
        {children}
      </button>
    )
  }
  return (
    <Link className={styles.face} to={target.to} onClick={onGo}>
      {children}
    </Link>
  )
}

const SIGNS: Record<ReturnType<typeof sentence>, IconName> = {
  commented: 'comment',
  answered: 'reply',
  liked: 'heart',
  notice: 'megaphone',
  request: 'check',
  views: 'eye',
  likes: 'heart',
  launches: 'bolt',
}

function Portrait({ notification }: { notification: Notification }) {
  const nameOf = usePersonName()
  const official = isOfficial(notification)
  return (
    <span className={styles.portrait}>
      {official ? (
        <span className={styles.brand}>
          <BrandLogo size={22} />
        </span>
      ) : (
        <Avatar
          name={nameOf(notification.user)}
          url={notification.user?.profile?.thumbnailUrl ?? notification.user?.socialProfile}
          size={36}
        />
      )}
      <span className={styles.sign}>
        <Icon name={SIGNS[sentence(notification)]} size={12} />
      </span>
    </span>
  )
}

export function RowsLoading() {
  return (
    <ul aria-busy="true">
      {[68, 54, 76, 60].map((width) => (
        <li key={width} className={styles.loading}>
          <Skeleton style={{ width: 36, height: 36, borderRadius: '50%' }} />
          <span className={styles.words}>
            <Skeleton style={{ width: `${width}%`, height: 14 }} />
            <Skeleton style={{ width: 90, height: 12 }} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function useSentence(): (notification: Notification) => string {
  const { t, i18n } = useTranslation('notifications')
  const nameOf = usePersonName()
  return (notification) => {
    const key = sentence(notification)
    const title = notification.title.workflow
    if (key === 'notice') return title ?? t('said.notice')
    if (key === 'request') return title ? t('said.requestNamed', { title }) : t('said.request')
    const what = title ? t('workflow', { title }) : t('picture')
    const name = nameOf(notification.user)
    const number = formatNumber(notification.title.count ?? 0, i18n.language)
    return t(`said.${key}`, { name, what, number })
  }
}
