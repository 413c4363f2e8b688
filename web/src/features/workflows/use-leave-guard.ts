import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Location, useBlocker } from 'react-router'
import { useUnloadQuestion } from '@/shared/lib/use-unload-question'
import { useConfirm } from '@/shared/ui/dialog'

type LeaveGuard = {
  /** What happens to the changes. */
  text?: string | undefined
  /** Whether a navigation leaves the page. By default, one to another path does. */
  leaves?: (from: Location, to: Location) => boolean
  /** Looks again before the question is asked: what happens to the changes, or null if all are saved. */
  look?: () => Promise<string | null>
}

const toOtherPath = (from: Location, to: Location) => from.pathname !== to.pathname

/** Asks before a page with unsaved changes is left: with our dialog inside the application, else with the browser's. */
export function useLeaveGuard(unsaved: boolean, { text, leaves = toOtherPath, look }: LeaveGuard = {}): void {
  const { t } = useTranslation('workflows')
  const confirm = useConfirm()
  const blocker = useBlocker(({ currentLocation, nextLocation }) => unsaved && leaves(currentLocation, nextLocation))
  const latest = useRef({ text, look })
  latest.current = { text, look }
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const mayLeave = async () => {
      const { look, text = t('leave.text') } = latest.current
      const seen = look ? await look().catch(() => text) : text
      return seen === null || confirm({ title: t('leave.title'), text: seen, action: t('leave.action'), danger: true })
    }
    void mayLeave().then((yes) => (yes ? blocker.proceed() : blocker.reset()))
  }, [blocker, confirm, t])
  useUnloadQuestion(unsaved)
}
