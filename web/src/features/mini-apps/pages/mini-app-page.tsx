import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { useGuest, useUser } from '@/features/auth'
import type { WorkflowApi } from '@/shared/api/types'
import { pictureOf, type Slot } from '@/shared/lib/media'
import { paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { useTranslated } from '@/shared/lib/translated'
import { useTitle } from '@/shared/lib/use-title'
import { Avatar } from '@/shared/ui/avatar'
import { Chip } from '@/shared/ui/chip'
import { ClosePage } from '@/shared/ui/close-page'
import { Icon } from '@/shared/ui/icon'
import { PageError } from '@/shared/ui/page-error'
import { Picture } from '@/shared/ui/picture'
import { RichText } from '@/shared/ui/rich-text'
import { Skeleton } from '@/shared/ui/states'
import { miniAppQuery } from '../api'
import { AppBody, AppPanelSkeleton } from '../components/app-panel'
import styles from './mini-app-page.module.css'

const COVER: Slot[] = [{ upTo: 639, wide: '72px' }, { wide: '132px' }]

type MiniAppPageProps = {
  facts?: (workflow: WorkflowApi['workflow']) => ReactNode
  below?: (workflow: WorkflowApi['workflow']) => ReactNode
}

export default function MiniAppPage({ facts, below }: MiniAppPageProps) {
  const { appId = '' } = useParams()
  const user = useUser()
  const known = useGuest() || user !== undefined
  const app = useQuery({ ...miniAppQuery(appId, Boolean(user)), enabled: known })
  const translated = useTranslated()
  useTitle(app.data && translated(app.data.workflow).name)
  if (app.isPending) return <Loading />
  if (!app.data) return <PageError error={app.error} onRetry={() => void app.refetch()} />
  const { _id, workflow } = app.data
  // A user with whom an app is shared may not see its post.
  const parts = isShared(app.data) ? {} : { facts: facts?.(workflow), below: below?.(workflow) }
  return <MiniApp key={_id} app={app.data} {...parts} />
}

/** A shared app comes without its graph and inputs. */
const isShared = (app: WorkflowApi): boolean => app.inputs === undefined

function MiniApp({ app, facts, below }: { app: WorkflowApi; facts?: ReactNode; below?: ReactNode }) {
  return (
    <div className={styles.page}>
      <ClosePage to={paths.apps()} />
      <AppHead app={app} facts={facts} />
      <AppBody app={app} />
      {below && <div className={styles.below}>{below}</div>}
    </div>
  )
}

function AppHead({ app, facts }: { app: WorkflowApi; facts: ReactNode }) {
  const { t } = useTranslation('miniApps')
  const nameOf = usePersonName()
  const { workflow } = app
  const { name, description } = useTranslated()(workflow)
  const author = workflow.user
  return (
    <header className={styles.head}>
      <Picture className={styles.cover} {...pictureOf(workflow.cover)} alt="" ratio={1} slots={COVER} />
      <div>
        <h1 className={styles.title}>{name}</h1>
        {author && (
          <p className={styles.author}>
            <Avatar name={nameOf(author)} url={author.profile?.thumbnailUrl} size={22} />
            {t('by', { name: nameOf(author) })}
          </p>
        )}
        <p className={styles.marks}>
          {isShared(app) && (
            <Link to={paths.sharedApps()}>
              <Chip>
                <Icon name="people" size={14} />
                {t('sharedMark')}
              </Chip>
            </Link>
          )}
          {app.works.ok && (
            <Chip tone="good">
              <Icon name="check" size={14} />
              {t('works.ok')}
            </Chip>
          )}
        </p>
        {facts}
      </div>
      {description && (
        <div className={styles.description}>
          <RichText html={description} />
        </div>
      )}
    </header>
  )
}

function Loading() {
  return (
    <div className={styles.page} aria-busy="true">
      <div className={styles.head}>
        <Skeleton className={styles.cover} style={{ aspectRatio: 1 }} />
        <div className={styles.loading}>
          <Skeleton style={{ height: 32, width: 280, maxWidth: '100%' }} />
          <Skeleton style={{ height: 16, width: 420, maxWidth: '100%' }} />
        </div>
      </div>
      <AppPanelSkeleton />
    </div>
  )
}
