import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Works } from '@/shared/api/types'
import { formatRelative } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { Icon } from '@/shared/ui/icon'
import styles from './works-notice.module.css'

type WorksNoticeProps = {
  works: Works
  /** Whether it is told what the workers lack, as an app's author wants to know and nobody else can mend. */
  detailed: boolean
  /** The workflow whose setup can be changed, where it is not being changed right here. */
  setup?: string | undefined
}

/** Said where no worker can run an app: that it waits, and to its author what is missing. Nothing while that is unknown. */
export function WorksNotice({ works, detailed, setup }: WorksNoticeProps) {
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
