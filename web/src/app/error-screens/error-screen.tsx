import { useLocation, useNavigate, useRouteError } from 'react-router'
import { ChunkError } from '@/shared/lib/chunk'
import { PageError } from '@/shared/ui/page-error'
import { PageLost } from '@/shared/ui/part-lost'

/** What stands in place of a page that broke, or whose code did not arrive. Trying again resets the view. */
export function ErrorScreen() {
  const error = useRouteError()
  const navigate = useNavigate()
  const location = useLocation()
  const open = () => void navigate(location, { replace: true, state: location.state })
  if (error instanceof ChunkError) return <PageLost error={error} onLoaded={open} />
  return <PageError error={error} onRetry={open} />
}
