import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { OutputAsset } from '@/shared/api/types'
import { download } from '@/shared/lib/download'
import { formatDate, formatDuration, formatRelative, timestampName } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { Avatar } from '@/shared/ui/avatar'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { useConfirm } from '@/shared/ui/dialog'
import { useToast } from '@/shared/ui/toast'
import { useDeletePictures, useSetPrivate } from '../api'
import styles from '../pages/picture-page.module.css'

type PictureFactsProps = { picture: OutputAsset; own: boolean; cross: ReactNode; onGone: () => void }

/** Who made the picture, when and how long it took; what its owner may do with it. */
export function PictureFacts({ picture, own, cross, onGone }: PictureFactsProps) {
  const { t, i18n } = useTranslation('gallery')
  const { t: common } = useTranslation()
  const { t: jobs } = useTranslation('jobs')
  const toast = useToast()
  const name = picture.user?.name ?? ''
  const facts: [string, string][] = [[t('createdAt'), formatRelative(picture.createdAt, i18n.language)]]
  if (picture.job.duration != null) facts.push([jobs('duration'), formatDuration(picture.job.duration)])
  if (picture.asset.width && picture.asset.height)
    facts.push([t('size'), `${picture.asset.width} × ${picture.asset.height}`])
  if (own && picture.isPrivate && picture.expiresAt) facts.push([t('expires'), formatDate(picture.expiresAt)])
  const save = () => {
    download(picture.rawUrl, `${timestampName()}.${picture.format}`).catch(() =>
      toast.error(jobs('output.downloadFailed')),
    )
  }
  return (
    <aside className={styles.side}>
      <div className={styles.top}>
        <span className={styles.author}>
          <Avatar name={name} url={picture.user?.profile?.thumbnailUrl} />
          {name}
        </span>
        {cross}
      </div>
      {own && (
        <span>
          <Chip tone={picture.isPrivate ? 'plain' : 'good'}>{t(picture.isPrivate ? 'private' : 'public')}</Chip>
        </span>
      )}
      <dl className={styles.facts}>
        {facts.map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.actions}>
        <Button icon="download" tone={own ? 'plain' : 'primary'} onClick={save}>
          {common('download')}
        </Button>
        {own && picture.job._id && (
          <ButtonLink tone="outline" to={paths.job(picture.job._id)}>
            {t('openJob')}
          </ButtonLink>
        )}
        {own && <OwnerActions picture={picture} onGone={onGone} />}
      </div>
    </aside>
  )
}

function OwnerActions({ picture, onGone }: { picture: OutputAsset; onGone: () => void }) {
  const { t } = useTranslation('gallery')
  const { t: common } = useTranslation()
  const toast = useToast()
  const confirm = useConfirm()
  const text = useProblemText()
  const setPrivate = useSetPrivate()
  const remove = useDeletePictures()
  const ids = [picture._id]
  const toggle = async () => {
    const isPrivate = !picture.isPrivate
    if (isPrivate && !(await confirm({ title: t('unpublishTitle'), text: t('unpublishText'), action: t('unpublish') })))
      return
    setPrivate.mutate(
      { ids, isPrivate },
      {
        onSuccess: () => toast.success(t(isPrivate ? 'unpublished' : 'published')),
        onError: (error) => toast.error(text(error)),
      },
    )
  }
  const drop = async () => {
    const yes = await confirm({
      title: t('deleteTitle'),
      text: t('deleteText'),
      action: common('delete'),
      danger: true,
    })
    if (!yes) return
    remove.mutate(ids, {
      onSuccess: () => {
        toast.success(t('deleted'))
        onGone()
      },
      onError: () => toast.error(t('deleteFailed')),
    })
  }
  return (
    <>
      <Button
        tone={picture.isPrivate ? 'primary' : 'outline'}
        busy={setPrivate.isPending}
        onClick={() => void toggle()}
      >
        {t(picture.isPrivate ? 'publish' : 'unpublish')}
      </Button>
      <Button tone="danger" icon="trash" busy={remove.isPending} onClick={() => void drop()}>
        {common('delete')}
      </Button>
    </>
  )
}
