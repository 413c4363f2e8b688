import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { AdminOnly } from '@/features/workflows'
import { Page } from '@/shared/ui/page'
import { EmptyState } from '@/shared/ui/states'
import { videosQuery } from '../api'
import { AddVideo } from '../components/add-video'
import { VideoControls } from '../components/video-controls'
import { VideoGrid } from '../components/video-grid'
import { VideoSearch } from '../components/video-search'
import { readQuestion, withAnswer } from '../model'

/** Where admins pick community videos. */
export default function AdminVideosPage() {
  return (
    <AdminOnly>
      <AdminVideos />
    </AdminOnly>
  )
}

function AdminVideos() {
  const { t } = useTranslation('videos')
  const [params, setParams] = useSearchParams()
  const asked = readQuestion(params)
  const list = useInfiniteQuery({ ...videosQuery(asked, true), placeholderData: keepPreviousData })
  return (
    <Page title={t('title')} lead={t('admin.lead')}>
      <AddVideo />
      <VideoSearch
        asked={asked}
        onChange={(key, value) => setParams(withAnswer(params, key, value), { replace: true })}
      />
      <h2 className="visually-hidden">{t('list')}</h2>
      <VideoGrid
        list={list}
        below={(video) => <VideoControls video={video} />}
        empty={<EmptyState icon="video" title={t('admin.empty')} text={t('admin.emptyText')} />}
      />
    </Page>
  )
}
