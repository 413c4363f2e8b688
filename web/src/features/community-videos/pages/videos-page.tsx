import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useQuestion } from '@/shared/lib/question'
import { Button } from '@/shared/ui/button'
import { Page } from '@/shared/ui/page'
import { EmptyState } from '@/shared/ui/states'
import { videosQuery } from '../api'
import { VideoGrid } from '../components/video-grid'
import { VideoSearch } from '../components/video-search'
import { VIDEOS } from '../model'

/** Community videos at YouTube, picked by admins. */
export default function VideosPage() {
  const { t } = useTranslation('videos')
  const [asked, { answer }] = useQuestion(VIDEOS)
  const list = useInfiniteQuery({ ...videosQuery(asked), placeholderData: keepPreviousData })
  const isSearch = Boolean(asked.keyword || asked.author)
  return (
    <Page title={t('title')} lead={t('lead')}>
      <VideoSearch asked={asked} onChange={answer} />
      <h2 className="visually-hidden">{t('list')}</h2>
      <VideoGrid
        list={list}
        empty={
          isSearch ? (
            <EmptyState
              icon="search"
              title={t('nothingFound')}
              text={t('nothingFoundText')}
              action={<Button onClick={() => answer({ keyword: '', author: '' })}>{t('showAll')}</Button>}
            />
          ) : (
            <EmptyState icon="video" title={t('empty')} text={t('emptyText')} />
          )
        }
      />
    </Page>
  )
}
