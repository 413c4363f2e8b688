import { Suspense } from 'react'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'
import { SilentRetry } from '@/shared/ui/load-error'
import type { PostFactsProps } from './post-facts'
import styles from './post-facts.module.css'

const Facts = lazyPart(withTexts(chunk(() => import('./post-facts'))), SilentRetry)

/** Loaded beside the workflow that it tells of; its place is kept. */
export function PostFacts(props: PostFactsProps) {
  return (
    <Suspense fallback={<div className={styles.facts} />}>
      <Facts {...props} />
    </Suspense>
  )
}
