import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useUrlParams } from '@/shared/lib/url-params'
import { Page } from '@/shared/ui/page'
import { EmptyState } from '@/shared/ui/states'
import { videosQuery } from '../api'
import { AddVideo } from '../components/add-video'
import { NoMatch } from '../components/no-match'
import { VideoControls } from '../components/video-controls'
import { VideoGrid } from '../components/video-grid'
import { VideoSearch } from '../components/video-search'
import { isSearch, VIDEOS } from '../model'

export default function AdminVideosPage() {
  const { t } = useTranslation('videos')
  const [filters, { replace }] = useUrlParams(VIDEOS)
  const list = useInfiniteQuery({ ...videosQuery(filters, true), placeholderData: keepPreviousData })
  return (
    <Page title={t('title')} lead={t('admin.lead')}>
      <AddVideo />
      <VideoSearch filters={filters} onChange={replace} />
      <h2 className="visually-hidden">{t('list')}</h2>
      <VideoGrid
        list={list}
        below={(video) => <VideoControls video={video} />}
        empty={
          isSearch(filters) ? (
            <NoMatch onAll={() => replace({ keyword: '', author: '' })} />
          ) : (
            <EmptyState icon="video" title={t('admin.empty')} text={t('admin.emptyText')} />
          )
        }
      />
    </Page>
  )
}
