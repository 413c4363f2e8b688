import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { withParams } from '@/shared/lib/with-params'
import { Button } from '@/shared/ui/button'
import { Page } from '@/shared/ui/page'
import { EmptyState } from '@/shared/ui/states'
import { videosQuery } from '../api'
import { VideoGrid } from '../components/video-grid'
import { VideoSearch } from '../components/video-search'
import { readQuestion, withAnswer } from '../model'

/** Community videos at YouTube, picked by admins. */
export default function VideosPage() {
  const { t } = useTranslation('videos')
  const [params, setParams] = useSearchParams()
  const asked = readQuestion(params)
  const list = useInfiniteQuery({ ...videosQuery(asked), placeholderData: keepPreviousData })
  const isSearch = Boolean(asked.keyword || asked.author)
  return (
    <Page title={t('title')} lead={t('lead')}>
      <VideoSearch
        asked={asked}
        onChange={(key, value) => setParams(withAnswer(params, key, value), { replace: true })}
      />
      <h2 className="visually-hidden">{t('list')}</h2>
      <VideoGrid
        list={list}
        empty={
          isSearch ? (
            <EmptyState
              icon="search"
              title={t('nothingFound')}
              text={t('nothingFoundText')}
              action={
                <Button onClick={() => setParams(withParams(params, { keyword: '', author: '' }), { replace: true })}>
                  {t('showAll')}
                </Button>
              }
            />
          ) : (
            <EmptyState icon="video" title={t('empty')} text={t('emptyText')} />
          )
        }
      />
    </Page>
  )
}
