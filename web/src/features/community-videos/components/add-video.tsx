import { type SyntheticEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { TextField } from '@/shared/ui/field'
import { useToast } from '@/shared/ui/toast'
import { useAddVideo } from '../api'
import { dayToTime } from '../model'
import styles from './admin.module.css'

/** Adds a video by its address; YouTube tells the rest, but for the day. */
export function AddVideo() {
  const { t } = useTranslation('videos')
  const text = useProblemText()
  const toast = useToast()
  const add = useAddVideo()
  const [url, setUrl] = useState('')
  const [day, setDay] = useState('')
  const [problem, setProblem] = useState<string>()
  const failed = (error: unknown) => {
    if (isApiError(error) && error.code === 'VIDEO_EXISTS') setProblem(t('admin.exists'))
    else if (isApiError(error) && error.code === 'VIDEO_UNAVAILABLE') setProblem(t('admin.unavailable'))
    else if (isApiError(error, 503)) setProblem(t('admin.away'))
    else if (isApiError(error, 400)) setProblem(t('admin.noVideo'))
    else setProblem(text(error))
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setProblem(undefined)
    if (!url.trim()) return setProblem(t('admin.noVideo'))
    const youtubeCreatedAt = dayToTime(day)
    add.mutate(
      { url: url.trim(), ...(youtubeCreatedAt && { youtubeCreatedAt }) },
      {
        onSuccess: (video) => {
          toast.success(t('admin.added', { name: video.name }))
          setUrl('')
          setDay('')
        },
        onError: failed,
      },
    )
  }
  return (
    <form className={styles.add} onSubmit={submit} noValidate>
      <TextField
        label={t('admin.url')}
        help={t('admin.urlHelp')}
        inputMode="url"
        placeholder="https://www.youtube.com/watch?v=…"
        value={url}
        error={problem}
        onChange={(event) => setUrl(event.target.value)}
      />
      <TextField
        label={t('admin.day')}
        help={t('admin.dayHelp')}
        type="date"
        value={day}
        onChange={(event) => setDay(event.target.value)}
      />
      <Button type="submit" tone="primary" icon="plus" busy={add.isPending}>
        {t('admin.add')}
      </Button>
    </form>
  )
}
