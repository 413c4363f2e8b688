import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useUser } from '@/features/auth'
import { newestPicturesQuery, type PictureList, PictureTile } from '@/features/gallery'
import {
  AppCover,
  AppGrid,
  AppGridSkeleton,
  AppShelf,
  FeatureCard,
  miniAppsQuery,
  SimpleAppCards,
  SuggestionForm,
  useHasTextToImage,
} from '@/features/mini-apps'
import { chunk } from '@/shared/lib/chunk'
import { BAND_SLOTS } from '@/shared/lib/media'
import { paths } from '@/shared/lib/paths'
import { useTitle } from '@/shared/lib/use-title'
import { lazyPart } from '@/shared/ui/lazy-part'
import { SilentRetry } from '@/shared/ui/load-error'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { shouldShowFirstSteps } from './first-steps-state'
import styles from './home-page.module.css'

const FirstSteps = lazyPart(
  chunk(() => import('./first-steps')),
  SilentRetry,
)

const NEWEST: PictureList = { of: 'public', sort: 'newest', nsfw: 'Hide' }
/** Number of pictures in the band, of large apps, and of trending apps. */
export const BAND = 8
const FEATURED = 3
const TRENDING = 5

export default function HomePage() {
  const { t } = useTranslation('home')
  const user = useUser()
  const draws = useHasTextToImage()
  const films = useApps('view').data?.some((app) => app.workflowApiWorks && app.makes.includes('video'))
  useTitle(undefined)
  return (
    <div className={styles.page}>
      <header className={styles.hero}>
        <h1 className={styles.headline}>{t(draws ? 'headlineWords' : films ? 'headlineBoth' : 'headline')}</h1>
        <p className={styles.lead}>{t(draws ? 'leadWords' : 'lead')}</p>
        <SuggestionForm />
      </header>
      {user && shouldShowFirstSteps(user) && (
        <PartBoundary>
          <Suspense fallback={null}>
            <FirstSteps user={user} />
          </Suspense>
        </PartBoundary>
      )}
      <PartBoundary>
        <Featured />
      </PartBoundary>
      <PartBoundary>
        <Newest />
      </PartBoundary>
      <PartBoundary>
        <Suspense fallback={null}>
          <SimpleAppCards />
        </Suspense>
      </PartBoundary>
      <PartBoundary>
        <Trending />
      </PartBoundary>
      <PartBoundary>
        <ByPurpose />
      </PartBoundary>
    </div>
  )
}

type SectionProps = { title: string; more?: { to: string; title: string }; children: ReactNode }

function Section({ title, more, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h2>{title}</h2>
        {more && <Link to={more.to}>{more.title}</Link>}
      </div>
      {children}
    </section>
  )
}

/** Apps in an order. The deferred value lets slow phones handle input between renders. */
function useApps(sort: 'newest' | 'like' | 'view') {
  const apps = useInfiniteQuery(miniAppsQuery(sort))
  return { ...apps, data: useDeferredValue(apps.data) }
}

function useBest() {
  const apps = useApps('view')
  return { ...apps, data: apps.data?.filter((app) => app.workflowApi && app.cover) }
}

function Featured() {
  const { t } = useTranslation('home')
  const apps = useBest()
  const best = apps.data?.slice(0, FEATURED)
  if (best?.length === 0 || (apps.isError && !best)) return null
  return (
    <section aria-label={t('best')}>
      <div className={styles.features}>
        {best
          ? best.map((app, index) => <FeatureCard key={app._id} app={app} first={index === 0} />)
          : ['a', 'b', 'c'].map((key) => <Skeleton key={key} style={{ aspectRatio: 4 / 3, borderRadius: 16 }} />)}
      </div>
    </section>
  )
}

/** The newest pictures. Shows app covers as long as no picture is published. */
function Newest() {
  const { t } = useTranslation('home')
  const pictures = useQuery(newestPicturesQuery(BAND))
  const newest = useDeferredValue(pictures.data)
  const apps = useBest()
  const none = pictures.data?.length === 0 || (pictures.isError && !pictures.data)
  const covers = apps.data?.slice(0, BAND) ?? []
  if (none && covers.length === 0) return null
  return (
    <Section
      title={t(none ? 'covers' : 'newest')}
      more={{ to: none ? paths.apps() : paths.gallery(), title: t(none ? 'seeAll' : 'seeGallery') }}
    >
      <div className={styles.band}>
        {none
          ? covers.map((app) => (
              <div key={app._id} className={styles.tile}>
                <AppCover app={app} />
              </div>
            ))
          : newest
            ? newest.map((picture) => (
                <div key={picture._id} className={styles.tile}>
                  <PictureTile picture={picture} list={NEWEST} under={paths.home()} slots={BAND_SLOTS} />
                </div>
              ))
            : Array.from({ length: BAND }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: grey boxes have no identity.
                <Skeleton key={index} style={{ aspectRatio: 1 }} />
              ))}
      </div>
    </Section>
  )
}

function Trending() {
  const { t } = useTranslation('home')
  const apps = useApps('like')
  // Apps shown large above are not repeated.
  const large = useBest().data?.slice(0, FEATURED) ?? []
  const others = apps.data?.filter((app) => app.workflowApi && !large.some((one) => one._id === app._id))
  const liked = others?.slice(0, TRENDING)
  if (liked?.length === 0 || (apps.isError && !liked)) return null
  return (
    <Section title={t('trending')} more={{ to: `${paths.apps()}?sort=like`, title: t('seeAll') }}>
      {liked ? <AppGrid apps={liked} row /> : <AppGridSkeleton count={TRENDING} />}
    </Section>
  )
}

function ByPurpose() {
  const { t } = useTranslation('home')
  const apps = useApps('newest')
  return (
    <Section title={t('purpose')} more={{ to: paths.apps(), title: t('seeAll') }}>
      {apps.data ? (
        <AppShelf apps={apps.data} />
      ) : apps.isError ? (
        <ErrorState error={apps.error} onRetry={() => void apps.refetch()} />
      ) : (
        <AppGridSkeleton />
      )}
    </Section>
  )
}
