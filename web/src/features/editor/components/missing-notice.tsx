import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chunk } from '@/shared/lib/chunk'
import type { GraphBridge } from '@/shared/lib/frame-bridge'
import { Button } from '@/shared/ui/button'
import { DialogLoadError } from '@/shared/ui/dialog-load-error'
import { lazyPart } from '@/shared/ui/lazy-part'
import { useRequirements } from '../requirements'
import { Notice } from './notices'

const MissingDialog = lazyPart(
  chunk(() => import('./missing-dialog')),
  DialogLoadError,
)

/** Names in the notice; the dialog has all of them. */
const NAMED = 3

/** Tells before a run which nodes and models the user's workers do not have. */
export function MissingNotice({ bridge }: { bridge: GraphBridge }) {
  const { t } = useTranslation('nodeEditor')
  const found = useRequirements(bridge)
  const [open, setOpen] = useState(false)
  if (!found) return null
  const { missing, oneWorkerMeetsAll } = found
  if (missing.length === 0) {
    return oneWorkerMeetsAll ? null : <Notice icon="warning" text={t('requirements.apart')} />
  }
  const names = missing.slice(0, NAMED).map(({ name }) => name)
  const list = [...names, ...(missing.length > NAMED ? ['…'] : [])].join(', ')
  const close = () => setOpen(false)
  return (
    <Notice icon="warning" text={t('requirements.notice', { count: missing.length, names: list })}>
      <Button size="small" tone="ghost" onClick={() => setOpen(true)}>
        {t('requirements.show')}
      </Button>
      {open && (
        <Suspense>
          <MissingDialog missing={missing} onNode={(id) => bridge.moveToNode(id)} onClose={close} />
        </Suspense>
      )}
    </Notice>
  )
}
