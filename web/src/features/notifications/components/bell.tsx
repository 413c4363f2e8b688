import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBackgroundStream } from '@/shared/api/use-background-stream'
import { chunk } from '@/shared/lib/chunk'
import { useMedia, WIDE } from '@/shared/lib/use-media'
import { DialogLoadError } from '@/shared/ui/dialog-load-error'
import { Icon } from '@/shared/ui/icon'
import { lazyPart } from '@/shared/ui/lazy-part'
import { countsQuery, refreshInbox } from '../api/counts'
import { badge } from '../unread'
import styles from './bell.module.css'

const InboxLayer = lazyPart(
  chunk(() => import('./inbox-layer')),
  DialogLoadError,
)

export function Bell({ className }: { className?: string | undefined }) {
  const { t } = useTranslation()
  const wide = useMedia(WIDE)
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const count = useQuery(countsQuery()).data?.count ?? 0
  useLiveInbox(true)
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
          <InboxLayer wide={wide} opener={button} onClose={close} />
        </Suspense>
      )}
    </div>
  )
}

/** Listens to inbox events while the page is visible. On reconnect the server sends the current count. */
function useLiveInbox(active: boolean): void {
  const client = useQueryClient()
  const open = useCallback(() => {
    const source = new EventSource('/api/general/notification-box/events')
    source.addEventListener('count', (message) => {
      const count = parseCount((message as MessageEvent<string>).data)
      if (count !== null) void refreshInbox(client, count)
    })
    return source
  }, [client])
  useBackgroundStream(active, open)
}

function parseCount(text: string): number | null {
  try {
    const { count } = JSON.parse(text) as { count?: unknown }
    return typeof count === 'number' ? count : null
  } catch {
    return null
  }
}
