import { useQuery } from '@tanstack/react-query'
import { Suspense, useDeferredValue, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { useGuest, useUser } from '@/features/auth'
import { Comments } from '@/features/comments'
import { AppPanel } from '@/features/mini-apps'
import type { Workflow } from '@/shared/api/types'
import { formatDate } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { useTranslated } from '@/shared/lib/translated'
import { useFirstInteraction } from '@/shared/lib/use-first-interaction'
import { useInSight } from '@/shared/lib/use-in-sight'
import { useMedia, WIDE } from '@/shared/lib/use-media'
import { useTitle } from '@/shared/lib/use-title'
import { Avatar } from '@/shared/ui/avatar'
import { Chip } from '@/shared/ui/chip'
import { ClosePage } from '@/shared/ui/close-page'
import { PageError } from '@/shared/ui/page-error'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { RichText } from '@/shared/ui/rich-text'
import { Skeleton } from '@/shared/ui/states'
import { workflowQuery } from '../api'
import { Counts } from '../components/counts'
import { DetailActions } from '../components/detail-actions'
import { DetailGallery } from '../components/detail-gallery'
import { TagChips } from '../components/tag-chips'
import { useWorkflowActions } from '../use-workflow-actions'
import styles from './workflow-page.module.css'

/** One workflow: pictures, description, actions, mini app and comments. */
export default function WorkflowPage() {
  const { workflowId = '' } = useParams()
  const user = useUser()
  const known = useGuest() || user !== undefined
  const workflow = useQuery({ ...workflowQuery(workflowId, Boolean(user)), enabled: known })
  // Deferred, so that slow phones handle input between renders.
  const post = useDeferredValue(workflow.data)
  const translated = useTranslated()
  useTitle(workflow.data && translated(workflow.data).name)
  if (workflow.isPending || (workflow.data && !post)) return <Loading />
  if (!workflow.data || !post) return <PageError error={workflow.error} onRetry={() => void workflow.refetch()} />
  return <Detail key={post._id} workflow={post} signedIn={Boolean(user)} />
}

function Detail({ workflow, signedIn }: { workflow: Workflow; signedIn: boolean }) {
  const { t } = useTranslation('workflows')
  const navigate = useNavigate()
  const actions = useWorkflowActions(workflow, () => navigate(list, { replace: true }))
  const list = actions.adminMode ? paths.admin.workflows() : paths.workflows()
  const { name, description } = useTranslated()(workflow)
  const author = workflow.user
  const authorName = usePersonName()(author)
  return (
    <div className={styles.page}>
      <ClosePage to={list} />
      <article className={styles.post}>
        <header className={styles.head}>
          <h1 className={styles.title}>{name}</h1>
          {author && !author.isDeleted ? (
            <Link
              className={styles.author}
              to={actions.adminMode ? paths.admin.profile(author._id) : paths.profile(author._id)}
            >
              <Avatar name={authorName} url={author.profile?.thumbnailUrl} size={28} />
              {authorName}
            </Link>
          ) : (
            <p className={styles.author}>
              <Avatar name={authorName} url={undefined} size={28} />
              {authorName}
            </p>
          )}
          <p className={styles.facts}>
            {workflow.isPrivate && <Chip>{t('private')}</Chip>}
            {workflow.isNsfw && <Chip tone="warn">{t('nsfw.mark')}</Chip>}
            <Counts workflow={workflow} show={['viewCount', 'launchCount', 'likeCount']} />
            <time dateTime={workflow.createdAt}>{formatDate(workflow.createdAt)}</time>
          </p>
          <TagChips tags={workflow.workflowTags} />
        </header>
        <div className={styles.gallery}>
          <DetailGallery
            workflow={workflow}
            signedIn={signedIn}
            onReport={actions.own ? undefined : actions.reportPicture}
          />
        </div>
        <div className={styles.actions}>
          <DetailActions workflow={workflow} actions={actions} />
        </div>
        {description && (
          <section className={styles.description} aria-labelledby="workflow-description">
            <h2 id="workflow-description" className={styles.heading}>
              {t('detail.description')}
            </h2>
            <RichText html={description} />
          </section>
        )}
      </article>
      {workflow.workflowApi && <RunSection api={workflow.workflowApi} />}
      <div className={styles.comments}>
        <Comments post={{ kind: 'workflow', id: workflow._id }} postAuthor={author?._id} />
      </div>
    </div>
  )
}

/**
 * The mini app. `#run` in the address scrolls to it and focuses it. It is large and, on phones, far below, so it loads
 * when the reader scrolls.
 */
function RunSection({ api }: { api: string }) {
  const { t } = useTranslation('workflows')
  const { hash, key } = useLocation()
  const section = useRef<HTMLElement>(null)
  const wide = useMedia(WIDE)
  const woken = useFirstInteraction()
  const near = useInSight(section)
  // biome-ignore lint/correctness/useExhaustiveDependencies: pressing Run again is a new history entry.
  useEffect(() => {
    if (hash !== '#run') return
    section.current?.scrollIntoView({ block: 'start' })
    section.current?.focus({ preventScroll: true })
  }, [hash, key])
  return (
    <section id="run" ref={section} className={styles.run} tabIndex={-1} aria-labelledby="workflow-run">
      <h2 id="workflow-run" className={styles.heading}>
        {t('detail.run')}
      </h2>
      <PartBoundary>
        <Suspense fallback={<AppGhost />}>{wide || woken || near ? <AppPanel id={api} /> : <AppGhost />}</Suspense>
      </PartBoundary>
    </section>
  )
}

const AppGhost = () => <Skeleton style={{ height: 420, borderRadius: 12 }} />

function Loading() {
  return (
    <div className={styles.page} aria-busy="true">
      <div className={styles.post}>
        <div className={styles.head}>
          <Skeleton style={{ height: 34, width: '80%' }} />
          <Skeleton style={{ height: 20, width: '50%' }} />
          <Skeleton style={{ height: 32, width: '65%' }} />
        </div>
        <div className={styles.gallery}>
          <Skeleton style={{ aspectRatio: 1, borderRadius: 12 }} />
        </div>
        <div className={styles.actions}>
          <Skeleton style={{ height: 48, borderRadius: 8 }} />
        </div>
      </div>
    </div>
  )
}
