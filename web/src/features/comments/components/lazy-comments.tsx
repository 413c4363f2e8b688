import { Suspense } from 'react'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { Skeleton } from '@/shared/ui/states'
import type { CommentsProps } from './comments'

const Section = lazyPart(withTexts(chunk(() => import('./comments'))))
const Drawer = lazyPart(withTexts(chunk(() => import('./comments-drawer'))))

/** Loaded after the page, because comments are at its end. */
export function Comments(props: CommentsProps) {
  return (
    <PartBoundary>
      <Suspense fallback={<Skeleton style={{ height: 160, borderRadius: 12 }} />}>
        <Section {...props} />
      </Suspense>
    </PartBoundary>
  )
}

/** The same on narrow screens: a button that opens a drawer. */
export function CommentsDrawer(props: CommentsProps) {
  return (
    <PartBoundary>
      <Suspense fallback={<Skeleton style={{ height: 40 }} />}>
        <Drawer {...props} />
      </Suspense>
    </PartBoundary>
  )
}
