import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ModerationCase } from '@/shared/api/types'
import { formatRelative } from '@/shared/lib/format'
import { usePersonName } from '@/shared/lib/person-name'
import { Chip, type ChipTone } from '@/shared/ui/chip'
import { Icon } from '@/shared/ui/icon'
import styles from './case-row.module.css'
import { ReportedThumb } from './reported-picture'

export const STATE_TONES: Record<ModerationCase['state'], ChipTone> = {
  Open: 'live',
  Kept: 'good',
  Hidden: 'warn',
  Deleted: 'bad',
}

type CaseRowProps = {
  one: ModerationCase
  to: string
  current: boolean
  /** Whether the list has several states, so that each case shows its own. */
  mixed: boolean
}

export function CaseRow({ one, to, current, mixed }: CaseRowProps) {
  const { t, i18n } = useTranslation('moderation')
  const nameOf = usePersonName()
  const name = nameOf(one.author)
  const words = one.seen.title || one.seen.content || t(`case.of.${one.kind}`, { name })
  return (
    <Link className={styles.row} to={to} aria-current={current ? 'true' : undefined} preventScrollReset>
      <ReportedThumb kind={one.kind} picture={one.seen.picture} />
      <span className={styles.words}>
        <span className={styles.head}>
          <span className={styles.kind}>{t(`kinds.${one.kind}`)}</span>
          {mixed && <Chip tone={STATE_TONES[one.state]}>{t(`states.${one.state}`)}</Chip>}
        </span>
        <span className={styles.name}>{words}</span>
        <span className={styles.meta}>
          <span className={styles.count}>
            <Icon name="flag" size={14} />
            {t('case.reports', { count: one.allReports })}
          </span>
          <span className={styles.author}>{name}</span>
          <time dateTime={one.reportedAt}>{formatRelative(one.reportedAt, i18n.language)}</time>
        </span>
      </span>
    </Link>
  )
}
