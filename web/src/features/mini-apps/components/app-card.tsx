import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { MiniAppCard } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { formatCount } from '@/shared/lib/format'
import { BAND_SLOTS, CARD_SLOTS, pictureOf, type Slot } from '@/shared/lib/media'
import { paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { useTranslated } from '@/shared/lib/translated'
import { Icon } from '@/shared/ui/icon'
import { Picture } from '@/shared/ui/picture'
import { plainText } from '@/shared/ui/rich-text'
import { EmptyState, Skeleton } from '@/shared/ui/states'
import styles from './app-card.module.css'

const coverOf = (app: MiniAppCard) => app.cover ?? app.thumbnails[0] ?? null

/** Three columns, or a strip that scrolls on narrow screens. */
const FEATURE_SLOTS: Slot[] = [
  { upTo: 639, wide: '82vw' },
  { upTo: 1023, wide: 'min(70vw, 380px)' },
  { wide: 'min(33vw - 110px, 530px)' },
]

function NotWorking({ app }: { app: MiniAppCard }) {
  const { t } = useTranslation('miniApps')
  if (app.workflowApiWorks !== false) return null
  return (
    <span className={styles.sign}>
      <Icon name="clock" size={12} />
      {t('works.not')}
    </span>
  )
}

export function AppCard({ app }: { app: MiniAppCard }) {
  const { t } = useTranslation('miniApps')
  const nameOf = usePersonName()
  const { name } = useTranslated()(app)
  const cover = coverOf(app)
  if (!app.workflowApi) return null
  return (
    <article className={styles.card}>
      <Picture
        className={styles.picture}
        {...pictureOf(cover)}
        blur={cover?.blurHash}
        alt=""
        ratio={1}
        slots={CARD_SLOTS}
      />
      <NotWorking app={app} />
      <div className={styles.words}>
        <h3 className={styles.name}>
          <Link className={styles.link} to={paths.miniApp(app.workflowApi)} title={name}>
            {name}
          </Link>
        </h3>
        <div className={styles.meta}>
          <span className={styles.author}>{app.user && t('by', { name: nameOf(app.user) })}</span>
          <span className={styles.counts}>
            <span className={styles.count}>
              <Icon name="eye" size={14} />
              <span aria-hidden="true">{formatCount(app.viewCount)}</span>
              <span className="visually-hidden">{t('views', { count: app.viewCount })}</span>
            </span>
            <span className={styles.count}>
              <Icon name="heart" size={14} />
              <span aria-hidden="true">{formatCount(app.likeCount)}</span>
              <span className="visually-hidden">{t('likes', { count: app.likeCount })}</span>
            </span>
          </span>
        </div>
      </div>
    </article>
  )
}

/** A mini app as a large picture with its title. `first` is visible without scrolling. */
export function FeatureCard({ app, first = false }: { app: MiniAppCard; first?: boolean }) {
  const { t } = useTranslation('miniApps')
  const { name, description } = useTranslated()(app)
  const cover = coverOf(app)
  if (!app.workflowApi) return null
  return (
    <Link className={styles.feature} to={paths.miniApp(app.workflowApi)}>
      <Picture
        className={styles.picture}
        {...pictureOf(cover)}
        alt=""
        ratio={4 / 3}
        slots={FEATURE_SLOTS}
        blur={cover?.blurHash}
        eager={first}
      />
      <NotWorking app={app} />
      <span className={styles.featureWords}>
        <span className={styles.featureName}>{name}</span>
        <span className={styles.featureText}>{plainText(description)}</span>
        <span className={styles.featureGo}>
          <Icon name="bolt" size={16} />
          {t('tryIt')}
        </span>
      </span>
    </Link>
  )
}

export function AppCover({ app }: { app: MiniAppCard }) {
  const { name } = useTranslated()(app)
  const cover = coverOf(app)
  if (!app.workflowApi) return null
  return (
    <Link className={styles.cover} to={paths.miniApp(app.workflowApi)} aria-label={name}>
      <Picture className={styles.picture} {...pictureOf(cover)} alt="" ratio={1} slots={BAND_SLOTS} />
    </Link>
  )
}

/** `row` limits the grid to one row. */
export function AppGrid({ apps, row = false }: { apps: MiniAppCard[]; row?: boolean }) {
  const { t } = useTranslation('miniApps')
  if (apps.length === 0) return <EmptyState icon="apps" title={t('emptyTitle')} text={t('emptyText')} />
  return (
    <div className={classNames(styles.grid, row && styles.row)}>
      {apps.map((app) => (
        <AppCard key={app._id} app={app} />
      ))}
    </div>
  )
}

export function AppGridSkeleton({ count = 10 }: { count?: number }) {
  return (
    <div className={styles.grid} aria-busy="true">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: grey boxes have no identity.
        <div key={index} className={styles.card}>
          <Skeleton style={{ aspectRatio: 1, borderRadius: 12 }} />
          <Skeleton style={{ height: 14, width: '70%' }} />
        </div>
      ))}
    </div>
  )
}
