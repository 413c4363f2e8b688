import { Suspense } from 'react'
import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'

const Preview = lazyPart(chunk(() => import('./text-preview')))

/** The first lines of an uploaded text file; its code loads when it is shown. */
export const TextPreview = (props: { url: string | undefined; label: string }) => (
  <Suspense fallback={<div aria-busy />}>
    <Preview {...props} />
  </Suspense>
)
