import { useTranslation } from 'react-i18next'
import type { ModerationCaseDetail } from '@/shared/api/types'
import { formatMoment } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { Chip } from '@/shared/ui/chip'
import { PersonLine } from './person-line'
import styles from './report-list.module.css'

export function ReportList({ reports }: { reports: ModerationCaseDetail['reports'] }) {
  const { t, i18n } = useTranslation('moderation')
  return (
    <ul className={styles.list}>
      {reports.map((one) => (
        <li key={one._id} className={styles.report}>
          <div className={styles.head}>
            <Chip tone={one.closedAt ? 'plain' : 'warn'}>{t(`reasons.${one.reason}`)}</Chip>
            <PersonLine person={one.reporter} to={paths.admin.people} size={20} />
            <time className={styles.time} dateTime={one.updatedAt}>
              {formatMoment(one.updatedAt, i18n.language)}
            </time>
          </div>
          {one.text && <p className={styles.text}>{one.text}</p>}
        </li>
      ))}
    </ul>
  )
}
