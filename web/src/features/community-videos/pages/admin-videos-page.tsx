import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useQuestion } from '@/shared/lib/question'
import { Page } from '@/shared/ui/page'
import { EmptyState } from '@/shared/ui/states'
import { videosQuery } from '../api'
import { AddVideo } from '../components/add-video'
import { VideoControls } from '../components/video-controls'
import { VideoGrid } from '../components/video-grid'
import { VideoSearch } from '../components/video-search'
import { VIDEOS } from '../model'

/** Where admins pick community videos. */
export default function AdminVideosPage() {
  const { t } = useTranslation('videos')
  const [asked, { answer }] = useQuestion(VIDEOS)
  const list = useInfiniteQuery({ ...videosQuery(asked, true), placeholderData: keepPreviousData })
  return (
    <Page title={t('title')} lead={t('admin.lead')}>
      <AddVideo />
      <VideoSearch asked={asked} onChange={answer} />
      <h2 className="visually-hidden">{t('list')}</h2>
      <VideoGrid
        list={list}
        below={(video) => <VideoControls video={video} />}
        empty={<EmptyState icon="video" title={t('admin.empty')} text={t('admin.emptyText')} />}
      />
    </Page>
  )
}
