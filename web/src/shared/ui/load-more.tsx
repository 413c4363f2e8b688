import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button'
import styles from './load-more.module.css'

type LoadMoreProps = { hasMore: boolean; loading: boolean; onMore: () => void }

/**
 * The end of a cursor list. It loads the next page when it comes near the window; the button is for users who do not
 * scroll.
 */
export function LoadMore({ hasMore, loading, onMore }: LoadMoreProps) {
  const { t } = useTranslation()
  const end = useRef<HTMLDivElement>(null)
  const more = useRef(onMore)
  more.current = onMore
  useEffect(() => {
    const node = end.current
    if (!node || !hasMore || loading) return
    const observer = new IntersectionObserver((entries) => entries.some((e) => e.isIntersecting) && more.current(), {
      rootMargin: '600px',
    })
    observer.observe(node)
    return () => observer.disconnect()
  }, [hasMore, loading])
  if (!hasMore) return null
  return (
    <div ref={end} className={styles.more}>
      <Button tone="outline" busy={loading} onClick={onMore}>
        {t('more')}
      </Button>
    </div>
  )
}
