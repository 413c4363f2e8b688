import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { newestPicturesQuery, type PictureList, PictureTile } from '@/features/gallery'
import { AppGrid, AppGridSkeleton, FeatureCard, miniAppsQuery } from '@/features/mini-apps'
import { paths } from '@/shared/lib/paths'
import { useTitle } from '@/shared/lib/use-title'
import { ButtonLink } from '@/shared/ui/button'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import styles from './home-page.module.css'

const NEWEST: PictureList = { of: 'public', sort: 'newest' }
/** How many pictures the band shows, and how many apps are shown large. */
export const BAND = 8
export const FEATURED = 3

export default function HomePage() {
  const { t } = useTranslation('home')
  useTitle(undefined)
  return (
    <div className={styles.page}>
      <header className={styles.hero}>
        <div>
          <h1 className={styles.headline}>{t('headline')}</h1>
          <p className={styles.lead}>{t('lead')}</p>
        </div>
        <ButtonLink tone="primary" size="large" to={paths.apps()}>
          {t('browse')}
        </ButtonLink>
      </header>
      <PartBoundary>
        <Featured />
      </PartBoundary>
      <PartBoundary>
        <Newest />
      </PartBoundary>
      <PartBoundary>
        <AllApps />
      </PartBoundary>
    </div>
  )
}

function Featured() {
  const { t } = useTranslation('home')
  const apps = useInfiniteQuery(miniAppsQuery('view'))
  const best = apps.data?.filter((app) => app.workflowApi && app.cover).slice(0, FEATURED)
  if (best?.length === 0 || (apps.isError && !best)) return null
  return (
    <section aria-label={t('best')}>
      <div className={styles.features}>
        {best
          ? best.map((app) => <FeatureCard key={app._id} app={app} />)
          : ['a', 'b', 'c'].map((key) => <Skeleton key={key} style={{ aspectRatio: 4 / 3, borderRadius: 16 }} />)}
      </div>
    </section>
  )
}

function Newest() {
  const { t } = useTranslation('home')
  const pictures = useQuery(newestPicturesQuery(BAND))
  if (pictures.isError && !pictures.data) return null
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h2>{t('newest')}</h2>
      </div>
      {pictures.data?.length === 0 ? (
        <EmptyState icon="picture" title={t('newestEmpty')} />
      ) : (
        <div className={styles.band}>
          {pictures.data
            ? pictures.data.map((picture) => (
                <div key={picture._id} className={styles.tile}>
                  <PictureTile picture={picture} list={NEWEST} under={paths.home()} />
                </div>
              ))
            : Array.from({ length: BAND }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: grey boxes have no identity.
                <Skeleton key={index} style={{ aspectRatio: 1 }} />
              ))}
        </div>
      )}
    </section>
  )
}

function AllApps() {
  const { t } = useTranslation('home')
  const apps = useInfiniteQuery(miniAppsQuery('newest'))
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h2>{t('allApps')}</h2>
        <Link to={paths.apps()}>{t('seeAll')}</Link>
      </div>
      {apps.isPending ? (
        <AppGridSkeleton />
      ) : apps.data ? (
        <AppGrid apps={apps.data.slice(0, 20)} />
      ) : (
        <ErrorState error={apps.error} onRetry={() => void apps.refetch()} />
      )}
    </section>
  )
}
