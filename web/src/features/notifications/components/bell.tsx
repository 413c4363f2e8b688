import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMedia, WIDE } from '@/shared/lib/use-media'
import { Icon } from '@/shared/ui/icon'
import { countsQuery } from '../api/counts'
import { badge } from '../unread'
import { useLiveBox } from '../use-live-box'
import styles from './bell.module.css'

const BoxLayer = lazy(() => import('./box-layer'))

/** How much there is that was not seen, and the way to it. For people who are signed in. */
export function Bell({ className }: { className?: string | undefined }) {
  const { t } = useTranslation()
  const wide = useMedia(WIDE)
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const count = useQuery(countsQuery()).data?.count ?? 0
  useLiveBox(true)
  const close = useCallback(() => setOpen(false), [])
  return (
    <div className={styles.anchor}>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={count > 0 ? t('bellUnread', { count }) : t('bell')}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="bell" />
        {count > 0 && (
          <span className={styles.badge} aria-hidden="true">
            {badge(count, wide)}
          </span>
        )}
      </button>
      {open && (
        <Suspense fallback={null}>
          <BoxLayer wide={wide} opener={button} onClose={close} />
        </Suspense>
      )}
    </div>
  )
}
