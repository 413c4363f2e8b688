import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type texts from '@/shared/i18n/locales/en/workflow-api.json'
import type { HealthProblem } from './types'

type KnownCode = keyof (typeof texts)['health']

/** The problem of an entry in the user's language; the server's text if it says more. */
export function useProblemWords(): (problem: HealthProblem) => string {
  const { t, i18n } = useTranslation('workflowApi')
  return useCallback(
    ({ code, message }) =>
      i18n.exists(`health.${code}`, { ns: 'workflowApi' }) ? t(`health.${code as KnownCode}`) : message,
    [t, i18n],
  )
}
