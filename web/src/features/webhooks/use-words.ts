import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import { useProblemText } from '@/shared/lib/problem-text'
import { toast } from '@/shared/ui/toast'
import { eventWord, refusalOf } from './model'
import type { WebhookEvent } from './types'

/** Title and description of an event: translated, else the server's. */
export function useEventWords() {
  const { t } = useTranslation('webhooks')
  return {
    name: (id: string, name = id) => {
      const word = eventWord(id)
      return word ? t(`eventNames.${word}`) : name
    },
    text: ({ _id, description }: WebhookEvent) => {
      const word = eventWord(_id)
      return word ? t(`eventTexts.${word}`) : description
    },
  }
}

export function useRefusalText(): (error: unknown) => string {
  const { t } = useTranslation('webhooks')
  const text = useProblemText()
  return useCallback(
    (error) => {
      const refusal = refusalOf(error)
      return refusal ? t(`refused.${refusal}`) : text(error)
    },
    [t, text],
  )
}

/** Shows why a call was refused, or `fallback` if the server failed. */
export function useRefusalToast(): (error: unknown, fallback: string) => void {
  const text = useRefusalText()
  return useCallback(
    (error, fallback) => {
      const isRefused = isApiError(error) && error.status >= 400 && error.status < 500
      toast.error(isRefused ? text(error) : fallback, error)
    },
    [text],
  )
}
