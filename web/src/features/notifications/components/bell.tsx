import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMedia, WIDE } from '@/shared/lib/use-media'
import { Icon } from '@/shared/ui/icon'
import { Sheet } from '@/shared/ui/sheet'
import { countsQuery } from '../api'
import { badge } from '../model'
import { useLiveBox } from '../use-live-box'
import styles from './bell.module.css'
import { Popover } from './popover'

const Box = lazy(() => import('./box'))

/** How much there is that was not seen, and the way to it. For people who are signed in. */
export function Bell({ className }: { className?: string | undefined }) {
  const { t } = useTranslation('notifications')
  const wide = useMedia(WIDE)
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const count = useQuery(countsQuery()).data?.count ?? 0
  useLiveBox(true)
  const close = () => setOpen(false)
  const box = (
    <Suspense fallback={<div className={styles.waiting} aria-busy="true" />}>
      <Box onGo={close} />
    </Suspense>
  )
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
      {wide ? (
        open && (
          <Popover label={t('title')} opener={button} onClose={close}>
            {box}
          </Popover>
        )
      ) : (
        <Sheet open={open} onClose={close} title={t('title')}>
          {box}
        </Sheet>
      )}
    </div>
  )
}
