import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Notification } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { formatDate, formatRelative } from '@/shared/lib/format'
import { usePersonName } from '@/shared/lib/person-name'
import { Avatar } from '@/shared/ui/avatar'
import { BrandSign } from '@/shared/ui/brand-sign'
import { Icon, type IconName } from '@/shared/ui/icon'
import { openModal } from '@/shared/ui/modals'
import { plainText } from '@/shared/ui/rich-text'
import { Skeleton } from '@/shared/ui/states'
import { SturdyImage } from '@/shared/ui/sturdy-image'
import { useCheck } from '../api/box'
import { isOfficial, sentence, targetOf } from '../model'
import styles from './notification-row.module.css'
import { useSentence } from './use-sentence'

/** One notification: pressed, it counts as seen and leads to what it tells of, where that is anywhere. */
export function NotificationRow({ told, onGo }: { told: Notification; onGo?: () => void }) {
  const { t, i18n } = useTranslation('notifications')
  const check = useCheck()
  const say = useSentence()
  const unread = !told.checkedAt
  const see = () => {
    if (unread) check.mutate({ ids: new Set([told._id]), kinds: new Map([[told._id, told.type]]) })
  }
  // What people write is text; notices of the operators are HTML.
  const quote = told.type === 'NOTICE' ? plainText(told.content ?? '') : (told.content ?? '')
  return (
    <li className={classNames(styles.row, unread && styles.unread)}>
      <Face
        told={told}
        onGo={() => {
          see()
          onGo?.()
        }}
      >
        <Portrait told={told} />
        <span className={styles.words}>
          <span className={styles.sentence}>{say(told)}</span>
          <span className={styles.note}>
            <time dateTime={told.createdAt} title={formatDate(told.createdAt)}>
              {formatRelative(told.createdAt, i18n.language)}
            </time>
            {quote && <span className={styles.quote}>{quote}</span>}
          </span>
        </span>
        {told.outputAsset?.thumbnailUrl && (
          <SturdyImage className={styles.picture} src={told.outputAsset.thumbnailUrl} alt="" loading="lazy" />
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

/** A link to what it tells of; what is read in place opens above the page. */
function Face({ told, onGo, children }: { told: Notification; onGo: () => void; children: ReactNode }) {
  const say = useSentence()
  const target = targetOf(told)
  if (!target) return <div className={classNames(styles.face, styles.still)}>{children}</div>
  if ('html' in target) {
    const open = () => {
      openModal('notice', { title: say(told), html: target.html, at: told.createdAt, to: target.to })
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

function Portrait({ told }: { told: Notification }) {
  const nameOf = usePersonName()
  const official = isOfficial(told)
  return (
    <span className={styles.portrait}>
      {official ? (
        <span className={styles.brand}>
          <BrandSign size={22} />
        </span>
      ) : (
        <Avatar name={nameOf(told.user)} url={told.user?.profile?.thumbnailUrl ?? told.user?.socialProfile} size={36} />
      )}
      <span className={styles.sign}>
        <Icon name={SIGNS[sentence(told)]} size={12} />
      </span>
    </span>
  )
}

/** Rows to come. */
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
