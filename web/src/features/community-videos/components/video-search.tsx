import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { SearchForm } from '@/shared/ui/search-form'
import { Segments } from '@/shared/ui/segments'
import { VIDEO_SORTS, type VideoQuestion } from '../model'
import styles from './video-search.module.css'

type VideoSearchProps = { asked: VideoQuestion; onChange: (change: Partial<VideoQuestion>) => void }

/** Words, order and channel of the list. */
export function VideoSearch({ asked, onChange }: VideoSearchProps) {
  const { t } = useTranslation('videos')
  return (
    <div className={styles.bar}>
      <SearchForm
        label={t('search')}
        value={asked.keyword}
        maxLength={100}
        onSearch={(keyword) => onChange({ keyword })}
      />
      <Segments
        label={t('order')}
        options={VIDEO_SORTS.map((key) => ({ key, title: t(key) }))}
        value={asked.sort}
        onChange={(sort) => onChange({ sort })}
      />
      {asked.author && (
        <Button
          size="small"
          tone="outline"
          icon="close"
          aria-label={t('allChannels', { name: asked.author })}
          onClick={() => onChange({ author: '' })}
        >
          {asked.author}
        </Button>
      )}
    </div>
  )
}
