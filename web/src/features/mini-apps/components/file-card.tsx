import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Asset } from '@/shared/api/types'
import type { FileKind } from '@/shared/api/upload'
import { formatBytes, formatDuration } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import { Picture } from '@/shared/ui/picture'
import styles from './file-card.module.css'
import { TextPreview } from './lazy-text-preview'

type FileCardProps = { kind: FileKind; asset: Asset; onPick: () => void; onDelete: () => void }

/** An uploaded file in a list of choices. Videos, sounds and texts can be previewed before they are chosen. */
export function FileCard({ kind, asset, onPick, onDelete }: FileCardProps) {
  const { t } = useTranslation('files')
  const [previewed, setPreviewed] = useState(false)
  const hasWords = kind !== 'image'
  const label = t('picker.previewOf', { name: asset.name })
  return (
    <li className={styles.card}>
      {previewed && (
        <div className={styles.player}>
          {kind === 'video' ? (
            // biome-ignore lint/a11y/useMediaCaption: users' own files have no captions.
            <video src={asset.url} aria-label={label} controls autoPlay playsInline />
          ) : kind === 'text' ? (
            <TextPreview url={asset.url} label={label} />
          ) : (
            // biome-ignore lint/a11y/useMediaCaption: users' own files have no captions.
            <audio src={asset.url} aria-label={label} controls autoPlay />
          )}
        </div>
      )}
      <button
        type="button"
        className={styles.pick}
        aria-label={t('picker.pick', { name: asset.name })}
        onClick={onPick}
      >
        {!previewed && (
          <span className={styles.face}>
            {kind === 'image' ? (
              <Picture src={asset.thumbnailUrl} fallback={asset.url} blur={asset.blurHash} alt="" ratio={1} />
            ) : kind === 'video' ? (
              <Picture src={asset.metadata.videoPreviewImageUrl} alt="" ratio={1} />
            ) : (
              <Icon name={kind === 'text' ? 'log' : 'play'} size={28} />
            )}
          </span>
        )}
        {hasWords && (
          <span className={styles.words}>
            <span className={styles.name}>{asset.name}</span>
            <span>
              {[asset.metadata.duration && formatDuration(asset.metadata.duration), formatBytes(asset.sizeBytes)]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </span>
        )}
      </button>
      <span className={styles.tools}>
        {hasWords && (
          <Button
            size="small"
            icon={previewed ? 'close' : kind === 'text' ? 'eye' : 'play'}
            aria-label={previewed ? t('picker.closePreview', { name: asset.name }) : label}
            onClick={() => setPreviewed(!previewed)}
          />
        )}
        <Button size="small" icon="trash" aria-label={t('picker.delete', { name: asset.name })} onClick={onDelete} />
      </span>
    </li>
  )
}
