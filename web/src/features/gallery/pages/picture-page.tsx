import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type CSSProperties, type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useParams } from 'react-router'
import { useUser } from '@/features/auth'
import type { OutputAsset } from '@/shared/api/types'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { classNames } from '@/shared/lib/class-names'
import { hasPreviousPage } from '@/shared/lib/has-previous-page'
import { isModel } from '@/shared/lib/model-files'
import { isAdminPath, paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { isTyping } from '@/shared/lib/typing'
import { useMedia } from '@/shared/lib/use-media'
import { useTitle } from '@/shared/lib/use-title'
import { Blur } from '@/shared/ui/blur'
import { Button } from '@/shared/ui/button'
import { keepFocus, useEscape } from '@/shared/ui/layers'
import { lazyPart } from '@/shared/ui/lazy-part'
import { NoPreview } from '@/shared/ui/no-preview'
import { NsfwOverlay, useNsfwOverlay } from '@/shared/ui/nsfw-overlay'
import { PageError } from '@/shared/ui/page-error'
import { Picture } from '@/shared/ui/picture'
import { RetryingImage } from '@/shared/ui/retrying-image'
import { PageSpinner } from '@/shared/ui/spinner'
import { pictureQuery, picturesQuery } from '../api'
import { HiddenByModerator } from '../components/hidden-by-moderator'
import { PictureFacts } from '../components/picture-facts'
import { blockedReason, isOwn, type OpenedFrom, type PictureList } from '../model'
import styles from './picture-page.module.css'

const PUBLIC: PictureList = { of: 'public', sort: 'newest', nsfw: 'View' }

const ModelViewer = lazyPart(withTexts(chunk(() => import('@/shared/ui/model-viewer'))))

const PictureGraph = lazyPart(chunk(() => import('../components/picture-graph')))

/** One picture as a layer above its list. Esc and the cross go back; arrows step through the list. */
export default function PicturePage() {
  const { t } = useTranslation('gallery')
  const { t: common } = useTranslation()
  const { pictureId = '' } = useParams()
  const { pathname } = useLocation()
  const user = useUser()
  const picture = useQuery({ ...pictureQuery(pictureId, Boolean(user)), enabled: user !== undefined })
  const { close, newer, older, go } = useNeighbours(pictureId)
  const layer = useRef<HTMLDivElement>(null)
  // The id of a picture, so that the next one shows as a picture again.
  const [graphOf, setGraphOf] = useState<string | null>(null)
  const showsGraph = graphOf === pictureId
  const turn = () => {
    setGraphOf(showsGraph ? null : pictureId)
    layer.current?.scrollTo({ top: 0 })
  }
  useTitle(t('detail'))
  useEffect(() => {
    layer.current?.focus()
    const overflow = document.body.style.overflow
    document.body.style.overflow = 'hidden'
    return () => {
      document.body.style.overflow = overflow
    }
  }, [])
  useEscape(true, () => {
    if (isTyping(document.activeElement)) layer.current?.focus()
    else close()
  })
  const keys = (event: KeyboardEvent) => {
    if (event.defaultPrevented || !layer.current?.contains(event.target as Node)) return
    if (event.key === 'Tab') keepFocus(event, layer.current)
    // Arrows move the cursor while a comment is written, and Esc leaves the text first.
    if (isTyping(event.target)) return
    if (event.key === 'ArrowLeft' && newer) go(newer)
    if (event.key === 'ArrowRight' && older) go(older)
  }
  const cross = <Button tone="ghost" icon="close" aria-label={common('close')} onClick={close} />
  const admin = isAdminPath(pathname) && Boolean(user?.roles.includes('Admin'))
  return (
    <div
      ref={layer}
      className={styles.layer}
      role="dialog"
      aria-modal="true"
      aria-label={t('detail')}
      tabIndex={-1}
      onKeyDown={keys}
    >
      {picture.data ? (
        <>
          <div className={styles.stage}>
            {showsGraph ? (
              <Suspense fallback={<PageSpinner />}>
                <PictureGraph id={pictureId} />
              </Suspense>
            ) : (
              <Shown picture={picture.data} />
            )}
            <Step to={newer} side="newer" go={go} />
            <Step to={older} side="older" go={go} />
          </div>
          <PictureFacts
            picture={picture.data}
            own={isOwn(picture.data, user)}
            admin={admin}
            cross={cross}
            graph={{ shown: showsGraph, turn }}
            onGone={close}
          />
        </>
      ) : (
        <div className={styles.state}>
          <div className={styles.closeAlone}>{cross}</div>
          {picture.isError ? (
            <PageError error={picture.error} onRetry={() => void picture.refetch()} />
          ) : (
            <PageSpinner />
          )}
        </div>
      )}
    </div>
  )
}

type StepProps = { to: string | undefined; side: 'newer' | 'older'; go: (id: string) => void }

function Step({ to, side, go }: StepProps) {
  const { t } = useTranslation('gallery')
  if (!to) return null
  return (
    <Button
      className={classNames(styles.step, styles[side])}
      icon={side === 'newer' ? 'left' : 'right'}
      aria-label={t(side === 'newer' ? 'previous' : 'next')}
      onClick={() => go(to)}
    />
  )
}

function Shown({ picture }: { picture: OutputAsset }) {
  const { t } = useTranslation('gallery')
  const nameOf = usePersonName()
  const reduced = useMedia('(prefers-reduced-motion: reduce)')
  const { width, height, blurHash } = picture.asset
  const ratio = width && height ? { aspectRatio: `${width} / ${height}` } : undefined
  const { hidden, reveal } = useNsfwOverlay(picture.isNsfw, picture._id)
  const admin = useUser()?.roles.includes('Admin')
  if (picture.moderation && !admin) return <HiddenByModerator hidden={picture.moderation} />
  if (hidden) {
    const poster = picture.kind === 'video' ? picture.asset.metadata?.videoPreviewImageUrl : null
    const still = picture.kind === 'image' && picture.hasPreview ? picture.optimalUrl : poster
    return (
      <div className={styles.blurred} style={{ '--ratio': width && height ? width / height : 1 } as CSSProperties}>
        <NsfwOverlay onReveal={reveal}>
          <Picture className={styles.still as string} src={still} alt="" blur={blurHash} eager />
        </NsfwOverlay>
      </div>
    )
  }
  if (picture.kind === 'video') {
    return (
      <video
        key={picture._id}
        src={picture.rawUrl}
        poster={picture.asset.metadata?.videoPreviewImageUrl ?? undefined}
        preload="metadata"
        style={ratio}
        controls
        autoPlay={!reduced}
        loop
        muted
        playsInline
        aria-label={t('video')}
      />
    )
  }
  if (picture.kind === 'audio') {
    return (
      <div className={styles.sound}>
        <NoPreview kind="audio" name={picture.fileName} />
        {/* biome-ignore lint/a11y/useMediaCaption: a generated sound has no words to caption. */}
        <audio key={picture._id} src={picture.rawUrl} preload="metadata" controls aria-label={t('sound')} />
      </div>
    )
  }
  if (isModel(`.${picture.format}`)) {
    return (
      <div className={styles.model}>
        <Suspense fallback={<PageSpinner />}>
          <ModelViewer key={picture._id} url={picture.rawUrl} name={picture.fileName ?? ''} />
        </Suspense>
      </div>
    )
  }
  if (!picture.hasPreview) return <NoPreview kind={picture.kind} name={picture.fileName} />
  const alt = picture.user ? t('imageBy', { name: nameOf(picture.user) }) : t('image')
  if (!width || !height) return <RetryingImage key={picture._id} src={picture.rawUrl} alt={alt} />
  const box = { ...ratio, maxWidth: width, '--ratio': width / height } as CSSProperties
  return (
    <span key={picture._id} className={styles.frame} style={box}>
      {blurHash && <Blur hash={blurHash} />}
      <RetryingImage src={picture.rawUrl} alt={alt} width={width} height={height} />
    </span>
  )
}

/** The previous and next picture in the list, and the way back to it. */
function useNeighbours(id: string) {
  const navigate = useNavigate()
  const location = useLocation()
  const user = useUser()
  const from = location.state as OpenedFrom | null
  const list = from?.list ?? PUBLIC
  // Reads the list's loaded pages from the cache and loads nothing.
  const pages = useInfiniteQuery({ ...picturesQuery(list, Boolean(user)), enabled: false })
  const ids = pages.data?.filter((one) => !blockedReason(one, list)).map((one) => one._id) ?? []
  const at = from ? ids.indexOf(id) : -1
  const admin = isAdminPath(location.pathname)
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages
  const nearEnd = at >= 0 && at >= ids.length - 3
  useEffect(() => {
    if (nearEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [nearEnd, hasNextPage, isFetchingNextPage, fetchNextPage])
  return {
    newer: at > 0 ? ids[at - 1] : undefined,
    older: at >= 0 ? ids[at + 1] : undefined,
    go: (next: string) =>
      void navigate(admin ? paths.admin.picture(next) : paths.picture(next), {
        replace: true,
        state: from,
        preventScrollReset: true,
      }),
    close: () => {
      if (hasPreviousPage(location.key)) void navigate(-1)
      else void navigate(admin ? paths.admin.gallery() : paths.gallery(), { replace: true })
    },
  }
}
