import { useEffect, useId, useState } from 'react'
import Cropper from 'react-easy-crop'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { type Area, cropOf, MAX_ZOOM } from '../model'
import styles from './account-tab.module.css'

type CropperProps = {
  file: File
  onCancel: () => void
  onCropped: (file: File) => Promise<void>
  onUnreadable: () => void
}

/** Crops a square, with a zoom of at most 1.2. */
export default function PortraitCropper({ file, onCancel, onCropped, onUnreadable }: CropperProps) {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const id = useId()
  const [url, setUrl] = useState('')
  const [place, setPlace] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  const save = async () => {
    if (!area) return
    setBusy(true)
    try {
      await onCropped(await cropPicture(url, area))
    } catch {
      onUnreadable()
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <div className={styles.crop}>
        {url && (
          <Cropper
            image={url}
            crop={place}
            zoom={zoom}
            minZoom={1}
            maxZoom={MAX_ZOOM}
            aspect={1}
            cropShape="round"
            showGrid={false}
            keyboardStep={4}
            onCropChange={setPlace}
            onZoomChange={setZoom}
            onCropComplete={(_, pixels) => setArea(pixels)}
            mediaProps={{ onError: onUnreadable }}
          />
        )}
      </div>
      <div className={styles.zoom}>
        <label htmlFor={id}>{t('portrait.zoom')}</label>
        <input
          id={id}
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.01}
          value={zoom}
          onChange={(event) => setZoom(Number(event.target.value))}
        />
      </div>
      <p className={styles.muted}>{t('portrait.hint')}</p>
      <div className={styles.actions}>
        <Button tone="ghost" onClick={onCancel}>
          {common('cancel')}
        </Button>
        <Button tone="primary" busy={busy} disabled={!area} onClick={() => void save()}>
          {t('portrait.save')}
        </Button>
      </div>
    </>
  )
}

/** Draws a part of a picture into a square. Drops the file's metadata. */
async function cropPicture(url: string, area: Area): Promise<File> {
  const picture = new Image()
  picture.src = url
  await picture.decode()
  const part = cropOf(area, { width: picture.naturalWidth, height: picture.naturalHeight })
  const canvas = document.createElement('canvas')
  canvas.width = part.side
  canvas.height = part.side
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('the browser has no 2d canvas context')
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(picture, part.x, part.y, part.width, part.height, 0, 0, part.side, part.side)
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/webp', 0.92))
  if (!blob) throw new Error('cannot encode the cropped picture')
  // Browsers without a WebP encoder return PNG.
  return new File([blob], blob.type === 'image/webp' ? 'portrait.webp' : 'portrait.png', { type: blob.type })
}
