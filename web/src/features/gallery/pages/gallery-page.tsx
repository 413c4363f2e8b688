import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearchParams } from 'react-router'
import { nsfwFilter, useNsfwChoice } from '@/shared/lib/nsfw'
import { isAdminPath, paths } from '@/shared/lib/paths'
import { withParams } from '@/shared/lib/with-params'
import { ButtonLink } from '@/shared/ui/button'
import { NsfwSelect } from '@/shared/ui/nsfw-select'
import { Page } from '@/shared/ui/page'
import { Segments } from '@/shared/ui/segments'
import { EmptyState } from '@/shared/ui/states'
import { PictureGrid } from '../components/picture-grid'
import { type PictureSort, SORTS, sortOf } from '../model'
import styles from './gallery-page.module.css'

export type PicturesPageProps = {
  /** The address of this page, also while a picture is open above it. */
  pathname: string
  reveal?: { key: string } | null | undefined
}

/** Published pictures, filtered by the browser's NSFW choice; below /admin all of them. */
export default function GalleryPage({ pathname, reveal }: PicturesPageProps) {
  const { t } = useTranslation('gallery')
  const { t: workflows } = useTranslation('workflows')
  const [sort, setSort] = useSort(pathname)
  const admin = isAdminPath(pathname)
  const nsfw = nsfwFilter(useNsfwChoice())
  const list = useMemo(
    () => (admin ? ({ of: 'admin', sort, nsfw: 'View' } as const) : ({ of: 'public', sort, nsfw } as const)),
    [admin, sort, nsfw],
  )
  const empty =
    list.nsfw !== 'View' ? (
      <EmptyState icon="search" title={workflows('search.noneTitle')} />
    ) : (
      <EmptyState
        icon="gallery"
        title={t('all.emptyTitle')}
        text={t('all.emptyText')}
        action={
          <ButtonLink tone="primary" to={paths.apps()}>
            {t('emptyAction')}
          </ButtonLink>
        }
      />
    )
  return (
    <Page
      title={t('all.title')}
      lead={t(admin ? 'all.adminLead' : 'all.lead')}
      actions={
        <div className={styles.choices}>
          <Segments
            label={t('sort.label')}
            options={SORTS.map((key) => ({ key, title: t(`sort.${key}`) }))}
            value={sort}
            onChange={setSort}
          />
          {!admin && <NsfwSelect className={styles.nsfw as string} />}
        </div>
      }
    >
      <PictureGrid list={list} label={t('all.title')} empty={empty} reveal={reveal} />
    </Page>
  )
}

function useSort(pathname: string): [PictureSort, (sort: PictureSort) => void] {
  const location = useLocation()
  const [search, setSearch] = useSearchParams()
  const under = (location.state as { under?: string } | null)?.under
  const here = location.pathname === pathname ? search : new URLSearchParams(under?.split('?')[1] ?? '')
  return [
    sortOf(here),
    (next) =>
      setSearch(withParams(here, { sort: next === 'newest' ? '' : next }), { replace: true, preventScrollReset: true }),
  ]
}
