import { type SyntheticEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import { Segments } from '@/shared/ui/segments'
import { VIDEO_SORTS, type VideoQuestion } from '../model'
import styles from './video-search.module.css'

type VideoSearchProps = { asked: VideoQuestion; onChange: (key: keyof VideoQuestion, value: string) => void }

/** Words, order and channel of the list. `data-search` is where the `/` key goes. */
export function VideoSearch({ asked, onChange }: VideoSearchProps) {
  const { t } = useTranslation('videos')
  const [words, setWords] = useState(asked.keyword)
  useEffect(() => setWords(asked.keyword), [asked.keyword])
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    onChange('keyword', words.trim())
  }
  return (
    <div className={styles.bar}>
      <search className={styles.search}>
        <form className={styles.box} onSubmit={send}>
          <Icon name="search" size={18} />
          <input
            type="search"
            data-search
            className={styles.input}
            value={words}
            maxLength={100}
            enterKeyHint="search"
            placeholder={t('search')}
            aria-label={t('search')}
            onChange={(event) => {
              setWords(event.target.value)
              if (!event.target.value) onChange('keyword', '')
            }}
          />
        </form>
      </search>
      <Segments
        label={t('order')}
        options={VIDEO_SORTS.map((key) => ({ key, title: t(key) }))}
        value={asked.sort}
        onChange={(sort) => onChange('sort', sort)}
      />
      {asked.author && (
        <Button
          size="small"
          tone="outline"
          icon="close"
          aria-label={t('allChannels', { name: asked.author })}
          onClick={() => onChange('author', '')}
        >
          {asked.author}
        </Button>
      )}
    </div>
  )
}
