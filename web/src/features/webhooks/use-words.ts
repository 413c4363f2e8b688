import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '@/shared/lib/problem-text'
import { eventWord, refusalOf } from './model'
import type { WebhookEvent } from './types'

/** What an event is called, and what it is about: in our words where there are some, else in the server's. */
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

/** Why the server refused something, in words. */
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
