import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { ApiError, isApiError } from '@/shared/api/errors'
import { useProblemText } from '@/shared/lib/problem-text'
import { useUrlParams } from '@/shared/lib/url-params'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Spinner } from '@/shared/ui/spinner'
import { goingOn, rememberGoingOn } from '../going-on'
import { useCompleteMethod, useMakeDefault } from '../methods-api'
import { METHOD_RETURN, NO_RETURN } from '../methods-model'
import { Notice } from './notice'
import styles from './orders.module.css'

/** The result of the window in which a card was saved. The person goes on where they were. */
export function ReturnedMethod({ id }: { id: string }) {
  const { t } = useTranslation('subscription')
  const [{ method: inAddress, failed, code, authKey }, { replace }] = useUrlParams(METHOD_RETURN)
  const [window] = useState({ failed: failed === '1', code, authKey: authKey || null })
  const { isSaved, error, again } = useReturned(id, window)
  // Completing it again changes nothing, but only a lost request is worth it.
  const isOver = isSaved || (error !== null && !isLost(error))
  useEffect(() => {
    if (isOver && inAddress) replace(NO_RETURN)
  }, [isOver, inAddress, replace])
  if (isSaved) return <Notice tone="good" icon="check" text={t('card.saved')} />
  if (error) return <Failed error={error} onRetry={again} />
  return <Notice tone="plain" icon="clock" text={t('card.saving')} action={<Spinner />} />
}

/** Whether the server has not answered. */
const isLost = (error: unknown) => !isApiError(error) || error.status === 0 || error.status >= 500

type Window = { failed: boolean; code: string; authKey: string | null }

/** Completes the card once, unless its window failed, and goes on. */
function useReturned(id: string, { failed, code, authKey }: Window) {
  const complete = useCompleteMethod()
  const makeDefault = useMakeDefault()
  const navigate = useNavigate()
  const [isSaved, setIsSaved] = useState(false)
  const [refused] = useState(() =>
    failed ? new ApiError(409, { code: 'CARD_REFUSED', details: { reason: code } }) : null,
  )
  const act = () =>
    complete.mutate(
      { id, authKey },
      {
        onSuccess: ({ _id, isDefault }) => {
          const next = goingOn()
          rememberGoingOn(null)
          const goOn = () => (next ? void navigate(next.path, { replace: true }) : setIsSaved(true))
          if (next?.isDefault && !isDefault) makeDefault.mutate(_id, { onSettled: goOn })
          else goOn()
        },
      },
    )
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each card.
  useEffect(() => {
    if (!failed) act()
  }, [id])
  return { isSaved, error: refused ?? complete.error, again: act }
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('subscription')
  const text = useProblemText()
  const [next] = useState(goingOn)
  const action = (
    <div className={styles.actions}>
      {isLost(error) && <Button onClick={onRetry}>{t('card.again')}</Button>}
      {next && <ButtonLink to={next.path}>{t('card.back')}</ButtonLink>}
    </div>
  )
  const words = t('card.notSaved', { message: text(error) })
  return <Notice tone="bad" icon="warning" text={words} action={action} />
}
