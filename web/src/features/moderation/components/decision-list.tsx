import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Decision } from '@/shared/api/types'
import { formatMoment } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { Chip, type ChipTone } from '@/shared/ui/chip'
import styles from './decision-list.module.css'

const TONES: Record<Decision['kind'], ChipTone> = {
  Keep: 'plain',
  Hide: 'warn',
  Delete: 'bad',
  Restore: 'good',
  Warn: 'warn',
  Ban: 'bad',
  Unban: 'good',
}

export function DecisionList({ decisions }: { decisions: Decision[] }) {
  const { t, i18n } = useTranslation('moderation')
  const nameOf = usePersonName()
  if (decisions.length === 0) return <p className={styles.none}>{t('history.empty')}</p>
  return (
    <ol className={styles.list}>
      {decisions.map((one) => (
        <li key={one._id} className={styles.line}>
          <Chip tone={TONES[one.kind]}>{t(`decisions.${one.kind}`)}</Chip>
          <div className={styles.words}>
            {one.text && <p className={styles.text}>{one.text}</p>}
            <p className={styles.meta}>
              {one.kind === 'Ban' && (
                <span>
                  {one.until
                    ? t('history.until', { time: formatMoment(one.until, i18n.language) })
                    : t('ban.lengths.good')}
                </span>
              )}
              <time dateTime={one.createdAt}>{formatMoment(one.createdAt, i18n.language)}</time>
              {one.admin && <span>{nameOf(one.admin)}</span>}
              {one.case && <Link to={paths.admin.moderation(one.case)}>{t('history.case')}</Link>}
            </p>
          </div>
        </li>
      ))}
    </ol>
  )
}
