import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { TextField } from '@/shared/ui/field'
import { toast } from '@/shared/ui/toast'
import { useAddVideo } from '../api'
import { dayToTime } from '../model'
import styles from './admin.module.css'

export function AddVideo() {
  const { t } = useTranslation('videos')
  const text = useProblemText()
  const add = useAddVideo()
  const translated = (error: unknown) => {
    if (isApiError(error) && error.code === 'VIDEO_EXISTS') return t('admin.exists')
    if (isApiError(error) && error.code === 'VIDEO_UNAVAILABLE') return t('admin.unavailable')
    if (isApiError(error, 503)) return t('admin.away')
    return isApiError(error, 400) ? t('admin.noVideo') : text(error)
  }
  const form = useForm({
    start: { url: '', day: '' },
    check: ({ url }) => ({ url: url.trim() ? undefined : t('admin.noVideo') }),
    error: add.error,
    refused: (error) => ({ url: translated(error) }),
    send: ({ url, day }) => {
      const youtubeCreatedAt = dayToTime(day)
      add.mutate(
        { url: url.trim(), ...(youtubeCreatedAt && { youtubeCreatedAt }) },
        {
          onSuccess: (video) => {
            toast.success(t('admin.added', { name: video.name }))
            form.reset()
          },
        },
      )
    },
  })
  return (
    <form {...form.form} className={styles.add}>
      <TextField
        label={t('admin.url')}
        help={t('admin.urlHelp')}
        inputMode="url"
        placeholder="https://www.youtube.com/watch?v=…"
        {...form.field('url')}
      />
      <TextField label={t('admin.day')} help={t('admin.dayHelp')} type="date" {...form.field('day')} />
      <Button type="submit" tone="primary" icon="plus" busy={add.isPending}>
        {t('admin.add')}
      </Button>
    </form>
  )
}
