import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { SharedApp } from '@/shared/api/types'
import { formatRelative } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { Button, ButtonLink } from '@/shared/ui/button'
import { useConfirm } from '@/shared/ui/dialog'
import { Icon } from '@/shared/ui/icon'
import { QueryRows } from '@/shared/ui/query-list'
import { EmptyState } from '@/shared/ui/states'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { sharedAppsQuery, useLeaveShare } from '../api'
import styles from './shared-apps.module.css'

export default function SharedApps() {
  const { t } = useTranslation('appUse')
  const apps = useInfiniteQuery(sharedAppsQuery())
  return (
    <QueryRows
      list={apps}
      skeleton={{ height: 74, count: 3 }}
      empty={
        <EmptyState
          icon="people"
          title={t('shared.none')}
          text={t('shared.noneText')}
          action={<ButtonLink to={paths.apps()}>{t('shared.noneAction')}</ButtonLink>}
        />
      }
    >
      {(app) => <SharedRow app={app} />}
    </QueryRows>
  )
}

function SharedRow({ app }: { app: SharedApp }) {
  const { t, i18n } = useTranslation('appUse')
  const toasts = useResultToasts()
  const confirm = useConfirm()
  const leave = useLeaveShare()
  const { name } = app.workflowApi
  const ask = async () => {
    const yes = await confirm({
      title: t('shared.leaveTitle', { name }),
      text: t('shared.leaveText', { owner: app.owner.name }),
      action: t('shared.leave'),
      danger: true,
    })
    if (!yes) return
    leave.mutate(
      app,
      toasts(t('shared.left', { name }), () => t('shared.leaveFailed', { name })),
    )
  }
  return (
    <article className={styles.row}>
      <span className={styles.glyph}>
        <Icon name="bolt" size={20} />
      </span>
      <div className={styles.words}>
        <h3 className={styles.name}>
          <Link className={styles.link} to={paths.miniApp(app.workflowApi._id)}>
            {name}
          </Link>
        </h3>
        <p className={styles.facts}>
          <Link className={styles.owner} to={paths.profile(app.owner._id)}>
            {t('shared.by', { owner: app.owner.name })}
          </Link>
          <time dateTime={app.createdAt}>{formatRelative(app.createdAt, i18n.language)}</time>
        </p>
      </div>
      <Button
        className={styles.leave as string}
        size="small"
        tone="ghost"
        icon="trash"
        busy={leave.isPending}
        aria-label={t('shared.leaveOf', { name })}
        title={t('shared.leave')}
        onClick={() => void ask()}
      />
    </article>
  )
}
