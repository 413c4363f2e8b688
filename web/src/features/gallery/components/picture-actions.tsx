import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { UndoPublishHint, useRequireUser } from '@/features/auth'
import type { OutputAsset } from '@/shared/api/types'
import { copyText } from '@/shared/lib/clipboard'
import { download } from '@/shared/lib/download'
import { timestampName } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { Button, ButtonLink } from '@/shared/ui/button'
import { useConfirm } from '@/shared/ui/dialog'
import { openModal } from '@/shared/ui/modals'
import { toast } from '@/shared/ui/toast'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { useDeletePictures, useSetNsfw, useSetPrivate } from '../api'
import styles from '../pages/picture-page.module.css'
import { useLikeButton } from '../use-like-button'

export type GraphToggle = { shown: boolean; turn: () => void }

type PictureActionsProps = {
  picture: OutputAsset
  own: boolean
  admin: boolean
  graph: GraphToggle
  onGone: () => void
}

export function PictureActions({ picture, own, admin, graph, onGone }: PictureActionsProps) {
  const { t } = useTranslation('gallery')
  const { t: common } = useTranslation()
  const asUser = useRequireUser()
  const navigate = useNavigate()
  const saveFrom = (address: string, failed: string) => {
    const name = picture.fileName ?? `${timestampName()}.${picture.format}`
    download(address, name).catch((error: unknown) => toast.error(failed, error))
  }
  const save = () => saveFrom(picture.downloadUrl ?? picture.rawUrl, t('downloadFailed'))
  const saveOriginal = () => saveFrom(`/api/general/output-asset/${picture._id}/original`, t('original.failed'))
  const share = () => {
    const address = new URL(paths.picture(picture._id), window.location.origin).href
    copyText(address).then(
      () => toast.success(t('linkCopied')),
      () => toast.error(common('copyFailed')),
    )
  }
  const report = () => asUser(() => openModal('report', { kind: 'OutputAsset', id: picture._id }))
  const heldBack = Boolean(picture.moderation) && !admin
  const useAsInput = () => asUser(() => openModal('useAsInput', { picture }))
  const openEditor = () => asUser(() => void navigate(paths.editor({ image: picture._id })))
  return (
    <div className={styles.actions}>
      <div className={styles.row}>
        <LikeButton picture={picture} />
        {!picture.isPrivate && (
          <Button icon="share" onClick={share}>
            {t('share')}
          </Button>
        )}
      </div>
      {!heldBack && (
        <Button icon="download" tone={own ? 'plain' : 'primary'} onClick={save}>
          {common('download')}
        </Button>
      )}
      {own && !heldBack && (
        <Button icon="download" tone="outline" title={t('original.hint')} onClick={saveOriginal}>
          {t('original.download')}
        </Button>
      )}
      <Button icon={graph.shown ? 'picture' : 'workflow'} tone="outline" onClick={graph.turn}>
        {t(graph.shown ? 'graph.hide' : 'graph.show')}
      </Button>
      {picture.kind === 'image' && picture.hasPreview && !heldBack && (
        <Button tone="outline" icon="wand" onClick={useAsInput}>
          {t('useAsInput')}
        </Button>
      )}
      <Button tone="outline" icon="edit" onClick={openEditor}>
        {t('openEditor')}
      </Button>
      {own && picture.job._id && (
        <ButtonLink tone="outline" icon="jobs" to={paths.job(picture.job._id)}>
          {t('openJob')}
        </ButtonLink>
      )}
      {!own && !picture.isPrivate && (
        <Button tone="ghost" icon="flag" onClick={report}>
          {common('report')}
        </Button>
      )}
      {(own || admin) && <RuleActions picture={picture} own={own} admin={admin} onGone={onGone} />}
    </div>
  )
}

function LikeButton({ picture }: { picture: OutputAsset }) {
  const { t } = useTranslation('gallery')
  const { liked, own, press } = useLikeButton(picture)
  if (picture.isPrivate) return null
  return (
    <Button
      icon="heart"
      className={liked ? styles.liked : undefined}
      aria-pressed={liked}
      disabled={own}
      title={own ? t('ownLike') : undefined}
      onClick={press}
    >
      {t(liked ? 'liked' : 'like')}
    </Button>
  )
}

type RuleActionsProps = { picture: OutputAsset; own: boolean; admin: boolean; onGone: () => void }

function RuleActions({ picture, own, admin, onGone }: RuleActionsProps) {
  const { t } = useTranslation('gallery')
  const { t: common } = useTranslation()
  const toasts = useResultToasts()
  const confirm = useConfirm()
  const setPrivate = useSetPrivate()
  const setNsfw = useSetNsfw()
  const remove = useDeletePictures()
  const ids = [picture._id]
  const hide = async () => {
    const text = own ? t('unpublishText') : t('unpublishOthersText')
    if (!(await confirm({ title: t('unpublishTitle'), text, action: t('unpublish') }))) return
    setPrivate.mutate(
      { ids, isPrivate: true },
      toasts(t('unpublished'), () => t('requestFailed')),
    )
  }
  const mark = () =>
    setNsfw.mutate(
      { id: picture._id, isNsfw: !picture.isNsfw },
      toasts(t('nsfwChanged'), () => t('nsfwFailed')),
    )
  const drop = async () => {
    const question = { title: t('deleteTitle'), text: t('deleteText'), action: common('delete'), danger: true }
    if (!(await confirm(question))) return
    remove.mutate(ids, {
      onSuccess: () => {
        toast.success(t('deleted'))
        onGone()
      },
      onError: (error) => toast.error(t('deleteFailed'), error),
    })
  }
  return (
    <>
      {picture.moderation && !admin ? null : picture.isPrivate && !picture.isPublishable ? (
        <p className={styles.note}>{t('notPublishable')}</p>
      ) : picture.isPrivate ? (
        <Button tone="primary" icon="upload" onClick={() => openModal('publish', { pictures: [picture] })}>
          {t('publish')}
        </Button>
      ) : (
        <UndoPublishHint stays={t('staysPublic')}>
          <Button tone="outline" icon="lock" busy={setPrivate.isPending} onClick={() => void hide()}>
            {t('unpublish')}
          </Button>
        </UndoPublishHint>
      )}
      {admin && (
        <Button tone="outline" icon="shield" onClick={mark}>
          {t(picture.isNsfw ? 'markSfw' : 'markNsfw')}
        </Button>
      )}
      <Button tone="danger" icon="trash" busy={remove.isPending} onClick={() => void drop()}>
        {common('delete')}
      </Button>
    </>
  )
}
