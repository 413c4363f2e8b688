import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, Navigate, useNavigate, useRouteError } from 'react-router'
import { isApiError } from '@/shared/api/errors'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import styles from './error-screen.module.css'
import NotFoundPage from './not-found-page'

/** What stands in place of a page that broke. */
export function ErrorScreen() {
  const error = useRouteError()
  const { t } = useTranslation()
  const text = useProblemText()
  const navigate = useNavigate()
  if (isApiError(error, 401)) return <Navigate to={paths.notFound()} replace />
  if (isApiError(error, 404) || (isRouteErrorResponse(error) && error.status === 404)) return <NotFoundPage />
  return (
    <div className={styles.screen} role="alert">
      <h1 className={styles.title}>{t('errors.title')}</h1>
      <p className={styles.text}>{text(error)}</p>
      {isApiError(error) && error.requestId && (
        <p className={styles.text}>{t('errors.requestId', { id: error.requestId })}</p>
      )}
      <div className={styles.actions}>
        <Button tone="primary" onClick={() => void navigate(0)}>
          {t('retry')}
        </Button>
      </div>
    </div>
  )
}
