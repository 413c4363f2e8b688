import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { SearchForm } from '@/shared/ui/search-form'
import { Segments } from '@/shared/ui/segments'
import { VIDEO_SORTS, type VideoQuestion } from '../model'
import styles from './video-search.module.css'

type VideoSearchProps = { filters: VideoQuestion; onChange: (change: Partial<VideoQuestion>) => void }

export function VideoSearch({ filters, onChange }: VideoSearchProps) {
  const { t } = useTranslation('videos')
  return (
    <div className={styles.bar}>
      <SearchForm
        label={t('search')}
        value={filters.keyword}
        maxLength={100}
        asTyped
        onSearch={(keyword) => onChange({ keyword })}
      />
      <Segments
        label={t('order')}
        options={VIDEO_SORTS.map((key) => ({ key, title: t(key) }))}
        value={filters.sort}
        onChange={(sort) => onChange({ sort })}
      />
      {filters.author && (
        <Button
          size="small"
          tone="outline"
          icon="close"
          aria-label={t('allChannels', { name: filters.author })}
          onClick={() => onChange({ author: '' })}
        >
          {filters.author}
        </Button>
      )}
    </div>
  )
}
