import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askConnection, isConnectionLost, onReturn, useConnectionLost } from '@/shared/api/connection'
import type { ChunkError } from '@/shared/lib/chunk'
import { paths } from '@/shared/lib/paths'
import { Button, ButtonLink } from './button'
import { Icon } from './icon'
import pageStyles from './page-error.module.css'
import styles from './states.module.css'

/** What stands in place of a page or a part whose code did not arrive is told the error, and the props of that part. */
export type LostProps<Props = object> = { error: ChunkError; onLoaded: () => void; part: Props }

type Lost = Pick<LostProps, 'error' | 'onLoaded'>

/**
 * Loads the code again, by itself when the server is there again, and at a press. A file that does not come although the
 * server answers is gone: another version of the site was put in place, and a reload of the page finds that.
 */
function useLoadAgain({ error, onLoaded }: Lost, onGone?: () => void): { busy: boolean; retry: () => void } {
  const [busy, setBusy] = useState(false)
  const running = useRef(false)
  const load = async (gone?: () => void) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    try {
      await error.again()
      onLoaded()
    } catch {
      if (!isConnectionLost()) gone?.()
    }
    running.current = false
    setBusy(false)
  }
  const retry = async () => {
    if (!isConnectionLost()) return load(() => window.location.reload())
    setBusy(true)
    // Where the server answers, `onReturn` loads.
    await askConnection()
    setBusy(running.current)
  }
  const latest = useRef(() => load(onGone))
  latest.current = () => load(onGone)
  const missed = error.isOffline && !isConnectionLost()
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when this is shown.
  useEffect(() => {
    // The server may have come back before this was shown.
    if (missed) void latest.current()
    return onReturn(() => void latest.current())
  }, [])
  return { busy, retry: () => void retry() }
}

/** Why it did not come, as far as that is known. */
function useReason(): string {
  const { t } = useTranslation()
  return t(useConnectionLost() ? 'errors.loadsOnReturn' : 'errors.fileMissing')
}

/** The error screen of a page whose code did not arrive. */
export function PageLost({ error, onLoaded }: Lost) {
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
export function PartLost({ error, onLoaded }: Lost) {
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

/** For parts that a page does without: shows nothing, and loads the part when the server is there again. */
export function PartLeftOut(lost: Lost) {
  useLoadAgain(lost)
  return null
}
