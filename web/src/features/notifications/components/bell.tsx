import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chunk } from '@/shared/lib/chunk'
import { useMedia, WIDE } from '@/shared/lib/use-media'
import { DialogLost } from '@/shared/ui/dialog-lost'
import { Icon } from '@/shared/ui/icon'
import { lazyPart } from '@/shared/ui/lazy-part'
import { countsQuery } from '../api/counts'
import { badge } from '../unread'
import { useLiveBox } from '../use-live-box'
import styles from './bell.module.css'

const BoxLayer = lazyPart(
  chunk(() => import('./box-layer')),
  DialogLost,
)

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
