import { lazy } from 'react'
import { restOfTexts } from '@/shared/i18n'

/** Draws a mask on a picture, above the page. Its code comes when it is first opened. */
export const MaskEditor = lazy(async () => {
  const [editor] = await Promise.all([import('./components/mask-editor'), restOfTexts()])
  return editor
})
