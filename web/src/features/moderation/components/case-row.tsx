import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ModerationCase } from '@/shared/api/types'
import { formatRelative } from '@/shared/lib/format'
import { Chip, type ChipTone } from '@/shared/ui/chip'
import { Icon } from '@/shared/ui/icon'
import styles from './case-row.module.css'
import { SeenThumb } from './seen-picture'

export const STATE_TONES: Record<ModerationCase['state'], ChipTone> = {
  Open: 'live',
  Kept: 'good',
  Hidden: 'warn',
  Deleted: 'bad',
}

type CaseRowProps = { one: ModerationCase; to: string; current: boolean }

/** A case in the queue: what was reported, whose it is, how often and when. */
export function CaseRow({ one, to, current }: CaseRowProps) {
  const { t, i18n } = useTranslation('moderation')
  const words = one.seen.title || one.seen.content
  return (
    <Link className={styles.row} to={to} aria-current={current ? 'true' : undefined} preventScrollReset>
      <SeenThumb kind={one.kind} picture={one.seen.picture} />
      <span className={styles.words}>
        <span className={styles.head}>
          <span className={styles.kind}>{t(`kinds.${one.kind}`)}</span>
          <Chip tone={STATE_TONES[one.state]}>{t(`states.${one.state}`)}</Chip>
        </span>
        <span className={styles.name}>{words || t('case.noWords')}</span>
        <span className={styles.meta}>
          <span className={styles.count}>
            <Icon name="flag" size={14} />
            {t('case.reports', { count: one.allReports })}
          </span>
          {one.author && <span className={styles.author}>{one.author.name}</span>}
          <time dateTime={one.reportedAt}>{formatRelative(one.reportedAt, i18n.language)}</time>
        </span>
      </span>
    </Link>
  )
}
