import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, Navigate, useNavigate } from 'react-router'
import { isApiError } from '@/shared/api/errors'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button, ButtonLink } from './button'
import { CopyButton } from './copy-button'
import styles from './page-error.module.css'

type PageErrorProps = { error: unknown; onRetry: () => void }

/**
 * Shown in place of a page that failed. 401 means that there is no such page for guests and leads to /not-found; 404
 * offers the way back; other errors and network failures offer a retry. All offer a link to the home page.
 */
export function PageError({ error, onRetry }: PageErrorProps) {
  const { t } = useTranslation()
  const text = useProblemText()
  if (isApiError(error, 401)) return <Navigate to={paths.notFound()} replace />
  // An invalid id cannot exist either.
  if (isApiError(error, 404) || isApiError(error, 400)) return <NotFoundView status={404} />
  if (isRouteErrorResponse(error)) return <NotFoundView status={error.status} />
  const isResponse = isApiError(error)
  return (
    <div className={styles.screen} role="alert">
      <h1 className={styles.title}>{t(isResponse ? 'errors.generic' : 'errors.title')}</h1>
      <p className={styles.text}>{text(error)}</p>
      {isResponse && error.requestId && (
        <p className={styles.request}>
          <code>{t('errors.requestId', { id: error.requestId })}</code>
          <CopyButton text={error.requestId} label={t('copy')} />
        </p>
      )}
      <div className={styles.actions}>
        <Button tone="primary" onClick={onRetry}>
          {t('retry')}
        </Button>
        <ButtonLink tone="ghost" to={paths.home()}>
          {t('errors.goHome')}
        </ButtonLink>
      </div>
    </div>
  )
}

/** A status, its meaning and the way back. */
export function NotFoundView({ status }: { status: number }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const back = () => {
    // Without history, there is no page to go back to.
    if (window.history.length > 1) void navigate(-1)
    else void navigate(paths.home(), { replace: true })
  }
  return (
    <div className={styles.screen}>
      <p className={styles.status}>{status}</p>
      <h1 className={styles.title}>{t(status === 404 ? 'errors.notFoundTitle' : 'errors.generic')}</h1>
      <p className={styles.text}>{t('errors.notFoundText')}</p>
      <div className={styles.actions}>
        <Button tone="primary" icon="left" onClick={back}>
          {t('errors.goBack')}
        </Button>
        <ButtonLink tone="ghost" to={paths.home()}>
          {t('errors.goHome')}
        </ButtonLink>
      </div>
    </div>
  )
}
