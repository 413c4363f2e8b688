import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useSession } from '@/features/auth'
import type { SimpleAppAddress, User } from '@/shared/api/types'
import { chunk } from '@/shared/lib/chunk'
import { paths } from '@/shared/lib/paths'
import { useLastKnown } from '@/shared/lib/use-last-known'
import { useTitle } from '@/shared/lib/use-title'
import { ClosePage } from '@/shared/ui/close-page'
import { lazyPart } from '@/shared/ui/lazy-part'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { simpleAppQuery } from '../api'
import { SimpleAppArt } from '../components/simple-app-art'
import { SimpleAppMissing } from '../components/simple-app-missing'
import { addressOf } from '../simple-app-runs'
import styles from './simple-app-page.module.css'

const BoundApp = lazyPart(chunk(() => import('../components/simple-app-runner')))

/** A page with one purpose: add pictures, press one button. */
export default function SimpleAppPage() {
  const { t } = useTranslation('simpleApps')
  const { pathname } = useLocation()
  const address = addressOf(pathname)
  useTitle(t(`apps.${address}.name`))
  return (
    <div className={styles.page}>
      <ClosePage to={paths.home()} />
      <header className={styles.head}>
        <div>
          <h1 className={styles.title}>{t(`apps.${address}.name`)}</h1>
          <p className={styles.lead}>{t(`apps.${address}.text`)}</p>
        </div>
        <SimpleAppArt address={address} className={styles.art} />
      </header>
      <PartBoundary>
        <Body key={address} address={address} />
      </PartBoundary>
    </div>
  )
}

function Body({ address }: { address: SimpleAppAddress }) {
  const session = useSession()
  const app = useQuery(simpleAppQuery(address))
  // A sign-in resets all queries; the added pictures stay on the page.
  const shown = useLastKnown(app.data)
  const user = session.is === 'user' ? session.user : null
  const version = useUserVersion(session.is === 'unknown' ? undefined : user)
  // An app that is unbound while the page is open leaves its results on the page.
  const bound = useLastKnown(shown?.workflowApi ?? undefined)
  if (session.is === 'failed') return <ErrorState error={session.error} onRetry={session.retry} />
  if (app.isError && !shown) return <ErrorState error={app.error} onRetry={() => void app.refetch()} />
  if (!shown || session.is === 'unknown') return <Loading />
  return (
    <div className={styles.body}>
      {shown.state !== 'Ready' && <SimpleAppMissing app={shown} user={user} />}
      {bound && (
        <Suspense fallback={<Loading />}>
          <BoundApp key={`${bound} ${version}`} app={shown} id={bound} user={user} />
        </Suspense>
      )}
    </div>
  )
}

/** A number that changes when a signed-in user leaves. A guest who signs in keeps the page. */
function useUserVersion(user: User | null | undefined): number {
  const [seen, setSeen] = useState<{ id: string | null; version: number }>({ id: null, version: 0 })
  const id = user?._id ?? null
  if (user !== undefined && id !== seen.id) setSeen({ id, version: seen.version + (seen.id === null ? 0 : 1) })
  return seen.version
}

function Loading() {
  return (
    <div aria-busy="true">
      <Skeleton style={{ display: 'block', height: 260, borderRadius: 16 }} />
    </div>
  )
}
