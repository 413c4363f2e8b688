import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useUrlParams } from '@/shared/lib/url-params'
import { Page } from '@/shared/ui/page'
import { EmptyState } from '@/shared/ui/states'
import { videosQuery } from '../api'
import { NoMatch } from '../components/no-match'
import { VideoGrid } from '../components/video-grid'
import { VideoSearch } from '../components/video-search'
import { isSearch, VIDEOS } from '../model'

export default function VideosPage() {
  const { t } = useTranslation('videos')
  const [filters, { replace }] = useUrlParams(VIDEOS)
  const list = useInfiniteQuery({ ...videosQuery(filters), placeholderData: keepPreviousData })
  return (
    <Page title={t('title')} lead={t('lead')}>
      <VideoSearch filters={filters} onChange={replace} />
      <h2 className="visually-hidden">{t('list')}</h2>
      <VideoGrid
        list={list}
        empty={
          isSearch(filters) ? (
            <NoMatch onAll={() => replace({ keyword: '', author: '' })} />
          ) : (
            <EmptyState icon="video" title={t('empty')} text={t('emptyText')} />
          )
        }
      />
    </Page>
  )
}
