import { lazy, Suspense } from 'react'
import { restOfTexts } from '@/shared/i18n'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { Skeleton } from '@/shared/ui/states'
import type { CommentsProps } from './comments'

/** Its texts come beside the code. */
const withTexts = <Module,>(load: () => Promise<Module>) =>
  Promise.all([load(), restOfTexts()]).then(([module]) => module)

const Section = lazy(() => withTexts(() => import('./comments')))
const Drawer = lazy(() => withTexts(() => import('./comments-drawer')))

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
