import { useLocation, useNavigate, useRouteError } from 'react-router'
import { PageError } from '@/shared/ui/page-error'

/** Code that was fetched for an older build is gone from the server; only a fresh start of the page finds the new one. */
const isLostCode = (error: unknown) =>
  error instanceof TypeError && /dynamically imported module|module script/i.test(error.message)

/** What stands in place of a page that broke. Trying again resets the view. */
export function ErrorScreen() {
  const error = useRouteError()
  const navigate = useNavigate()
  const location = useLocation()
  const reset = () => void (isLostCode(error) ? navigate(0) : navigate(location, { replace: true }))
  return <PageError error={error} onRetry={reset} />
}
