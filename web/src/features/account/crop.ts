import { type Area, cropOf } from './model'

/** Draws the part of a picture into a square of its own. What was in the file beside its pixels is left behind. */
export async function cropPicture(url: string, area: Area): Promise<File> {
  const picture = new Image()
  picture.src = url
  await picture.decode()
  const part = cropOf(area, { width: picture.naturalWidth, height: picture.naturalHeight })
  const canvas = document.createElement('canvas')
  canvas.width = part.side
  canvas.height = part.side
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('this browser draws no pictures')
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(picture, part.x, part.y, part.width, part.height, 0, 0, part.side, part.side)
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/webp', 0.92))
  if (!blob) throw new Error('the picture cannot be written')
  // Browsers that write no WebP write PNG instead.
  return new File([blob], blob.type === 'image/webp' ? 'portrait.webp' : 'portrait.png', { type: blob.type })
}
