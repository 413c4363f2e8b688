import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Asset, Workflow } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { pictureOf, type Slot } from '@/shared/lib/media'
import { useTranslated } from '@/shared/lib/translated'
import { Button } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import { NsfwBlur } from '@/shared/ui/nsfw-overlay'
import { Picture } from '@/shared/ui/picture'
import { coverOf } from '../model'
import styles from './detail-gallery.module.css'
import { GraphPreview } from './graph-preview'

type DetailGalleryProps = {
  workflow: Workflow
  signedIn: boolean
  /** Reports one of the pictures; left out for the owner. */
  onReport?: ((picture: string) => void) | undefined
}

/** The pictures of a post: one large, all as thumbnails, and the graph at the end. Arrows step through them. */
export function DetailGallery({ workflow, signedIn, onReport }: DetailGalleryProps) {
  const { t } = useTranslation('workflows')
  const { name } = useTranslated()(workflow)
  const pictures = galleryOf(workflow)
  const [at, setAt] = useState(0)
  const strip = useRef<HTMLDivElement>(null)
  const count = pictures.length + 1
  const shown = pictures[at]
  const keys = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const next = (at + step + count) % count
    setAt(next)
    strip.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div className={styles.gallery}>
      <div className={styles.large}>
        {shown ? (
          <>
            <NsfwBlur nsfw={workflow.isNsfw}>
              <Picture
                key={shown._id}
                className={styles.picture}
                {...pictureOf(shown)}
                alt={t('detail.picture', { name, number: at + 1 })}
                ratio={ratioOf(shown)}
                {...(!mayMove(shown) && { slots: LARGE_SLOTS })}
                eager
              />
            </NsfwBlur>
            {onReport && (
              <Button
                className={styles.report as string}
                size="small"
                icon="flag"
                aria-label={t('detail.reportPicture', { number: at + 1 })}
                onClick={() => onReport(shown._id)}
              />
            )}
          </>
        ) : (
          <div className={styles.graph}>
            <GraphPreview id={workflow._id} name={name} signedIn={signedIn} />
          </div>
        )}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles keys of the buttons inside. */}
      <div className={styles.strip} ref={strip} onKeyDown={keys}>
        {pictures.map((picture, index) => (
          <button
            key={picture._id}
            type="button"
            className={styles.tile}
            aria-label={t('detail.show', { number: index + 1 })}
            aria-pressed={index === at}
            onClick={() => setAt(index)}
          >
            <span className={classNames(workflow.isNsfw && styles.dim)}>
              <Picture src={picture.thumbnailUrl} fallback={picture.url} alt="" ratio={1} />
            </span>
          </button>
        ))}
        <button
          type="button"
          className={classNames(styles.tile, styles.preview)}
          aria-pressed={at === pictures.length}
          onClick={() => setAt(pictures.length)}
        >
          <Icon name="workflow" size={22} />
          {t('detail.preview')}
        </button>
      </div>
    </div>
  )
}

const LARGE_SLOTS: Slot[] = [{ upTo: 1023, wide: 'calc(100vw - 32px)' }, { wide: 'min(55vw - 170px, 820px)' }]

/** Smaller sizes are stills, so animations use the original. */
const mayMove = (picture: Asset) => /\.(gif|webp)$/.test(picture.key)

function galleryOf(workflow: Workflow): Asset[] {
  const cover = coverOf(workflow)
  const others = workflow.thumbnails.filter((picture) => picture._id !== cover?._id)
  return cover ? [cover, ...others] : others
}

/** Limits the height of very tall and very wide pictures. */
const ratioOf = (picture: Asset): number =>
  picture.width && picture.height ? Math.min(Math.max(picture.width / picture.height, 0.8), 1.9) : 1
