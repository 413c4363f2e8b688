import { useLocation, useNavigate, useRouteError } from 'react-router'
import { ChunkError } from '@/shared/lib/chunk'
import { PageLoadError } from '@/shared/ui/load-error'
import { PageError } from '@/shared/ui/page-error'

/** Shown when a page crashes or its code does not load. A retry resets the route. */
export function ErrorScreen() {
  const error = useRouteError()
  const navigate = useNavigate()
  const location = useLocation()
  const open = () => void navigate(location, { replace: true, state: location.state })
  if (error instanceof ChunkError) return <PageLoadError error={error} onLoaded={open} />
  return <PageError error={error} onRetry={open} />
}
