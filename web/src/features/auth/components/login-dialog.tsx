import { createContext, type ReactNode, Suspense, useCallback, useContext, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { restOfTexts, withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { type FocusPlace, focusPlace, restoreFocus } from '@/shared/lib/restore-focus'
import { Dialog } from '@/shared/ui/dialog'
import { lazyPart } from '@/shared/ui/lazy-part'
import { PageSpinner } from '@/shared/ui/spinner'
import { rememberReturnPath, takeReturnPath } from '../model'
import type { SignMode } from './sign-form'

const SignForm = lazyPart(withTexts(chunk(() => import('./sign-form'))))

type Modal = { id: 'login'; mode: SignMode } | null
type OpenLogin = (mode?: SignMode) => void

const LoginContext = createContext<OpenLogin>(() => undefined)

/** Opens the login modal. After sign-in the page stays as it is. */
export const useLoginDialog = (): OpenLogin => useContext(LoginContext)

export function LoginDialogProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation('auth')
  const [modal, setModal] = useState<Modal>(null)
  const location = useLocation()
  const navigate = useNavigate()
  const here = location.pathname + location.search
  const opener = useRef<FocusPlace>(null)
  const open = useCallback<OpenLogin>(
    (mode = 'signIn') => {
      rememberReturnPath(here)
      opener.current = focusPlace()
      // The modal's texts load after the first page. The dialog waits for them, but opens even if they fail.
      restOfTexts()
        .catch(() => undefined)
        .finally(() => setModal({ id: 'login', mode }))
    },
    [here],
  )
  const done = useMemo(
    () => () => {
      setModal(null)
      const place = takeReturnPath()
      if (place !== here) void navigate(place)
      else restoreFocus(opener.current)
    },
    [here, navigate],
  )
  return (
    <LoginContext.Provider value={open}>
      {children}
      <Dialog
        open={modal !== null}
        onClose={() => setModal(null)}
        title={t(modal?.mode === 'signUp' ? 'signUpTitle' : 'signInTitle')}
      >
        <Suspense fallback={<PageSpinner />}>
          {modal && (
            <SignForm
              mode={modal.mode}
              onMode={(mode) => setModal({ id: 'login', mode })}
              onDone={done}
              onLeave={() => setModal(null)}
              takesFocus
            />
          )}
        </Suspense>
      </Dialog>
    </LoginContext.Provider>
  )
}
