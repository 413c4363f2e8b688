import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router'
import { useConfirm } from '@/shared/ui/dialog'

/** Asks before a page with unsaved changes is left: with our dialog inside the application, else with the browser's. */
export function useLeaveGuard(unsaved: boolean): void {
  const { t } = useTranslation('workflows')
  const confirm = useConfirm()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void confirm({ title: t('leave.title'), text: t('leave.text'), action: t('leave.action'), danger: true }).then(
      (yes) => (yes ? blocker.proceed() : blocker.reset()),
    )
  }, [blocker, confirm, t])
  useEffect(() => {
    if (!unsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])
}
