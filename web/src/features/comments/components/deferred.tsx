import { Suspense } from 'react'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { Skeleton } from '@/shared/ui/states'
import type { CommentsProps } from './comments'

const Section = lazyPart(withTexts(chunk(() => import('./comments'))))
const Drawer = lazyPart(withTexts(chunk(() => import('./comments-drawer'))))

/** What people say about a post. Its code comes after the page, whose end it is. */
export function Comments(props: CommentsProps) {
  return (
    <PartBoundary>
      <Suspense fallback={<Skeleton style={{ height: 160, borderRadius: 12 }} />}>
        <Section {...props} />
      </Suspense>
    </PartBoundary>
  )
}

/** The same for narrow screens: a button, and a drawer from below. */
export function CommentsDrawer(props: CommentsProps) {
  return (
    <PartBoundary>
      <Suspense fallback={<Skeleton style={{ height: 40 }} />}>
        <Drawer {...props} />
      </Suspense>
    </PartBoundary>
  )
}
