import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkConnection, isConnectionLost, onReconnect, useConnectionLost } from '@/shared/api/connection'
import type { ChunkError } from '@/shared/lib/chunk'
import { paths } from '@/shared/lib/paths'
import { Button, ButtonLink } from './button'
import { Icon } from './icon'
import pageStyles from './page-error.module.css'
import styles from './states.module.css'

/** Props of the placeholder for a page or part whose code failed to load: the error and the props of the part. */
export type LoadErrorProps<Props = object> = { error: ChunkError; onLoaded: () => void; part: Props }

type LoadFailure = Pick<LoadErrorProps, 'error' | 'onLoaded'>

/**
 * Loads the code again: when the server is reachable again, and on click. If the server answers but the file does not
 * load, a newer version has been deployed, which a reload finds.
 */
function useLoadAgain({ error, onLoaded }: LoadFailure, onMissing?: () => void): { busy: boolean; retry: () => void } {
  const [busy, setBusy] = useState(false)
  const running = useRef(false)
  const load = async (onStillMissing?: () => void) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    try {
      await error.again()
      onLoaded()
    } catch {
      if (!isConnectionLost()) onStillMissing?.()
    }
    running.current = false
    setBusy(false)
  }
  const retry = async () => {
    if (!isConnectionLost()) return load(() => window.location.reload())
    setBusy(true)
    // If the server answers, `onReconnect` loads.
    await checkConnection()
    setBusy(running.current)
  }
  const latest = useRef(() => load(onMissing))
  latest.current = () => load(onMissing)
  const missed = error.isOffline && !isConnectionLost()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when this is shown.
  useEffect(() => {
    // The server may have become reachable before this was shown.
    if (missed) void latest.current()
    return onReconnect(() => void latest.current())
  }, [])
  return { busy, retry: () => void retry() }
}

function useReason(): string {
  const { t } = useTranslation()
  return t(useConnectionLost() ? 'errors.loadsOnReturn' : 'errors.fileMissing')
}

/** The error screen of a page whose code failed to load. */
export function PageLoadError({ error, onLoaded }: LoadFailure) {
  const { t } = useTranslation()
  const reason = useReason()
  const { busy, retry } = useLoadAgain({ error, onLoaded }, () => window.location.reload())
  return (
    <div className={pageStyles.screen} role="alert">
      <h1 className={pageStyles.title}>{t('errors.pageNotLoaded')}</h1>
      <p className={pageStyles.text}>{reason}</p>
      <div className={pageStyles.actions}>
        <Button tone="primary" busy={busy} onClick={retry}>
          {t('retry')}
        </Button>
        <ButtonLink tone="ghost" to={paths.home()}>
          {t('errors.goHome')}
        </ButtonLink>
      </div>
    </div>
  )
}

/** The same for a part of a page. */
export function PartLoadError({ error, onLoaded }: LoadFailure) {
  const { t } = useTranslation()
  const reason = useReason()
  const { busy, retry } = useLoadAgain({ error, onLoaded })
  return (
    <div className={styles.lost} role="alert">
      <Icon name="warning" size={22} />
      <p className={styles.lostTitle}>{t('errors.partNotLoaded')}</p>
      <p className={styles.text}>{reason}</p>
      <Button tone="outline" size="small" busy={busy} onClick={retry}>
        {t('retry')}
      </Button>
    </div>
  )
}

/** For optional parts: shows nothing and loads the part when the server is reachable again. */
export function SilentRetry(lost: LoadFailure) {
  useLoadAgain(lost)
  return null
}
