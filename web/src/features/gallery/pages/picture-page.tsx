import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useParams } from 'react-router'
import { useUser } from '@/features/auth'
import type { OutputAsset } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { paths } from '@/shared/lib/paths'
import { useTitle } from '@/shared/lib/use-title'
import { Button } from '@/shared/ui/button'
import { keepFocus } from '@/shared/ui/lightbox'
import { PageSpinner } from '@/shared/ui/spinner'
import { ErrorState } from '@/shared/ui/states'
import { myPicturesQuery, pictureQuery } from '../api'
import { PictureFacts } from '../components/picture-facts'
import styles from './picture-page.module.css'

/** One picture as a layer above the page it came from. Esc and the cross go back; arrows step through the list. */
export default function PicturePage() {
  const { t } = useTranslation('gallery')
  const { t: common } = useTranslation()
  const { pictureId = '' } = useParams()
  const user = useUser()
  const picture = useQuery({ ...pictureQuery(pictureId, Boolean(user)), enabled: user !== undefined })
  const { close, newer, older, go } = useNeighbours(pictureId)
  const layer = useRef<HTMLDivElement>(null)
  useTitle(t('detail'))
  useEffect(() => {
    layer.current?.focus()
    const overflow = document.body.style.overflow
    document.body.style.overflow = 'hidden'
    return () => {
      document.body.style.overflow = overflow
    }
  }, [])
  const keys = (event: KeyboardEvent) => {
    if (event.defaultPrevented || !layer.current?.contains(event.target as Node)) return
    if (event.key === 'Escape') close()
    if (event.key === 'ArrowLeft' && newer) go(newer)
    if (event.key === 'ArrowRight' && older) go(older)
    if (event.key === 'Tab') keepFocus(event, layer.current)
  }
  const cross = <Button tone="ghost" icon="close" aria-label={common('close')} onClick={close} />
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
            <Shown picture={picture.data} />
            {newer && (
              <Button
                className={classNames(styles.step, styles.newer)}
                icon="left"
                aria-label={t('previous')}
                onClick={() => go(newer)}
              />
            )}
            {older && (
              <Button
                className={classNames(styles.step, styles.older)}
                icon="right"
                aria-label={t('next')}
                onClick={() => go(older)}
              />
            )}
          </div>
          <PictureFacts
            picture={picture.data}
            own={user?._id === picture.data.user?._id}
            cross={cross}
            onGone={close}
          />
        </>
      ) : (
        <div className={styles.state}>
          <div className={styles.closeAlone}>{cross}</div>
          {picture.isError ? (
            <ErrorState error={picture.error} onRetry={() => void picture.refetch()} />
          ) : (
            <PageSpinner />
          )}
        </div>
      )}
    </div>
  )
}

function Shown({ picture }: { picture: OutputAsset }) {
  const { t } = useTranslation('gallery')
  if (picture.kind === 'video') {
    return (
      <video key={picture._id} src={picture.rawUrl} controls autoPlay loop muted playsInline aria-label={t('video')} />
    )
  }
  return <img key={picture._id} src={picture.rawUrl} alt={t('image')} />
}

/** The pictures beside this one in the list it was opened from, and the way back to that list. */
function useNeighbours(id: string) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const location = useLocation()
  const list = (location.state as { list?: 'mine' | 'newest' } | null)?.list
  const pages = list === 'mine' ? client.getQueryData(myPicturesQuery().queryKey)?.pages : undefined
  const ids = pages?.flatMap((page) => page.items.map((item) => item._id)) ?? []
  const at = ids.indexOf(id)
  return {
    newer: at > 0 ? ids[at - 1] : undefined,
    older: at >= 0 ? ids[at + 1] : undefined,
    go: (next: string) =>
      void navigate(paths.picture(next), { replace: true, state: { list }, preventScrollReset: true }),
    close: () => {
      if (list) void navigate(-1)
      else void navigate(paths.home(), { replace: true })
    },
  }
}
