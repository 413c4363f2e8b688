import { type SyntheticEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommunityVideo } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { Dialog, useConfirm } from '@/shared/ui/dialog'
import { TextField } from '@/shared/ui/field'
import { toast } from '@/shared/ui/toast'
import { useChangeVideo, useRefreshVideo, useRemoveVideo } from '../api'
import { dayOf, dayToTime } from '../model'
import styles from './admin.module.css'

export function VideoControls({ video }: { video: CommunityVideo }) {
  const { t } = useTranslation('videos')
  const { t: common } = useTranslation()
  const text = useProblemText()
  const confirm = useConfirm()
  const refresh = useRefreshVideo()
  const remove = useRemoveVideo()
  const [editing, setEditing] = useState(false)
  const failed = (error: unknown) => toast.error(t('admin.failed', { message: text(error) }), error)
  const takeOut = async () => {
    const yes = await confirm({
      title: t('admin.removeTitle', { name: video.name }),
      text: t('admin.removeText'),
      action: t('admin.remove'),
      danger: true,
    })
    if (yes) remove.mutate(video._id, { onSuccess: () => toast.success(t('admin.removed')), onError: failed })
  }
  return (
    <div className={styles.controls}>
      {!video.isAvailable && <Chip tone="bad">{t('admin.gone')}</Chip>}
      <Button
        size="small"
        icon="reset"
        busy={refresh.isPending}
        aria-label={t('admin.refreshOf', { name: video.name })}
        onClick={() =>
          refresh.mutate(video._id, {
            onSuccess: (now) => toast.success(t(now.isAvailable ? 'admin.refreshed' : 'admin.nowGone')),
            onError: (error) => toast.error(t('admin.refreshFailed', { message: text(error) }), error),
          })
        }
      >
        {t('admin.refresh')}
      </Button>
      <Button
        size="small"
        icon="edit"
        aria-label={t('admin.editOf', { name: video.name })}
        onClick={() => setEditing(true)}
      >
        {t('admin.edit')}
      </Button>
      <Button
        size="small"
        tone="danger"
        icon="trash"
        busy={remove.isPending}
        aria-label={t('admin.removeOf', { name: video.name })}
        onClick={() => void takeOut()}
      >
        {t('admin.remove')}
      </Button>
      <Dialog open={editing} onClose={() => setEditing(false)} title={t('admin.editTitle')}>
        <EditForm key={video.checkedAt} video={video} cancel={common('cancel')} onClose={() => setEditing(false)} />
      </Dialog>
    </div>
  )
}

function EditForm({ video, cancel, onClose }: { video: CommunityVideo; cancel: string; onClose: () => void }) {
  const { t } = useTranslation('videos')
  const { t: common } = useTranslation()
  const text = useProblemText()
  const change = useChangeVideo()
  const [name, setName] = useState(video.name)
  const [day, setDay] = useState(dayOf(video.youtubeCreatedAt))
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const youtubeCreatedAt = dayToTime(day) ?? video.youtubeCreatedAt
    change.mutate({ id: video._id, name: name.trim(), youtubeCreatedAt }, { onSuccess: onClose })
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label={t('admin.name')}
        help={t('admin.nameHelp')}
        maxLength={200}
        value={name}
        error={change.isError ? text(change.error) : undefined}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField label={t('admin.day')} type="date" value={day} onChange={(event) => setDay(event.target.value)} />
      <div className={styles.actions}>
        <Button tone="ghost" onClick={onClose}>
          {cancel}
        </Button>
        <Button type="submit" tone="primary" busy={change.isPending} disabled={!name.trim()}>
          {common('save')}
        </Button>
      </div>
    </form>
  )
}
