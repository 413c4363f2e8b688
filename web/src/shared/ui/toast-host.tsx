import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import { classNames } from '@/shared/lib/class-names'
import { useReason } from '@/shared/lib/problem-text'
import { Button } from './button'
import { CopyButton } from './copy-button'
import { Icon } from './icon'
import { closeToast, type Toast, useToasts } from './toast'
import styles from './toast-host.module.css'

const SECONDS = 10
/** A page's padding above its title, less the gap that stays between a toast and the title. */
const PAGE_TOP_PX = 16
const ICONS = { success: 'check', error: 'warning', info: 'megaphone' } as const

/**
 * Shows the toasts at the top of the page. Dialogs start below `--toasts` and the page below `--page-room`, so that
 * toasts cover no title and no button there. A scrolled page does not move.
 */
export function ToastHost() {
  const toasts = useToasts()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      const bottom = list.current?.childElementCount ? list.current.getBoundingClientRect().bottom : 0
      const page = document.getElementById('content')?.getBoundingClientRect().top ?? 0
      style.setProperty('--toasts', `${bottom}px`)
      style.setProperty('--page-room', `${window.scrollY === 0 ? Math.max(0, bottom - page - PAGE_TOP_PX) : 0}px`)
    })
    if (list.current) observer.observe(list.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={list} className={styles.list}>
      {toasts.map(({ id, ...toast }) => (
        <ToastCard key={id} toast={toast} onClose={() => closeToast(id)} />
      ))}
    </div>
  )
}

function ToastCard({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const { t } = useTranslation()
  const { tone, title, description, cause, seconds = SECONDS } = toast
  const { bar, pause, resume } = useTimer(seconds, onClose)
  const reason = useReason()(cause)
  const requestId = isApiError(cause) ? cause.requestId : undefined
  // A title that already contains the reason is not followed by the reason again.
  const below = reason ? !title.includes(reason) && reason : requestId && <RequestId id={requestId} />
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only pauses the timer.
    <div
      className={classNames(styles.toast, styles[tone])}
      data-toast={tone}
      role={tone === 'error' ? 'alert' : 'status'}
      onMouseEnter={pause}
      onMouseLeave={resume}
    >
      <Icon name={ICONS[tone]} size={16} />
      <div className={styles.title}>{title}</div>
      <Button tone="ghost" icon="close" className={styles.close} aria-label={t('close')} onClick={onClose} />
      {(below || description) && <div className={styles.description}>{below || description}</div>}
      <div ref={bar} className={styles.bar} />
    </div>
  )
}

/** Runs the progress bar and calls `onEnd` at its end. The animation is the timer: pausing keeps the remaining time. */
function useTimer(seconds: number, onEnd: () => void) {
  const bar = useRef<HTMLDivElement>(null)
  const animation = useRef<Animation | undefined>(undefined)
  const latest = useRef(onEnd)
  latest.current = onEnd
  useEffect(() => {
    const run = bar.current?.animate?.([{ scale: '1 1' }, { scale: '0 1' }], seconds * 1000)
    if (!run) return
    animation.current = run
    run.onfinish = () => latest.current()
    return () => run.cancel()
  }, [seconds])
  return { bar, pause: () => animation.current?.pause(), resume: () => animation.current?.play() }
}

/** The request id, which support asks for. */
function RequestId({ id }: { id: string }) {
  const { t } = useTranslation()
  return (
    <span className={styles.request}>
      <code>{t('errors.requestId', { id })}</code>
      <CopyButton text={id} label={t('copy')} />
    </span>
  )
}
