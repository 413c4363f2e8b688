import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AppAvailability } from '@/shared/api/types'
import { formatRelative } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { Icon } from '@/shared/ui/icon'
import styles from './availability-notice.module.css'

type AvailabilityNoticeProps = {
  works: AppAvailability
  /** Whether to show what the workers lack: only the app's author can fix it. */
  detailed: boolean
  /** The id of the workflow whose setup can be changed; left out in the editor itself. */
  setup?: string | undefined
}

/** Says that no worker can run an app now, so a run waits. The author also sees what is missing. */
export function AvailabilityNotice({ works, detailed, setup }: AvailabilityNoticeProps) {
  const { t, i18n } = useTranslation('miniApps')
  if (works.ok !== false) return null
  const { classes, models } = works.missing
  return (
    <div className={styles.notice}>
      <Icon name="warning" />
      <div className={styles.words}>
        <p className={styles.title}>{t(detailed ? 'works.notToday' : 'works.notTitle')}</p>
        <p>{t(detailed ? 'works.notTodayText' : 'works.notText')}</p>
        {detailed && (
          <>
            <Missing title={t('works.classes')} names={classes} />
            <Missing title={t('works.models')} names={models} />
            <p className={styles.foot}>
              {works.checkedAt && (
                <time dateTime={works.checkedAt}>
                  {t('works.checked', { when: formatRelative(works.checkedAt, i18n.language) })}
                </time>
              )}
              {setup && <Link to={paths.workflowApi(setup)}>{t('works.setup')}</Link>}
            </p>
          </>
        )}
      </div>
    </div>
  )
}

function Missing({ title, names }: { title: string; names: string[] }) {
  if (names.length === 0) return null
  return (
    <div>
      <p className={styles.what}>{title}</p>
      <ul className={styles.names}>
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}
