import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { HealthProblem } from './types'

const KNOWN = [
  'NODE_GONE',
  'NODE_NAME_CHANGED',
  'NODE_MODULE_CHANGED',
  'NODE_UNKNOWN',
  'INPUT_GONE',
  'INPUT_LINKED',
  'NOT_AN_OUTPUT',
] as const

/** What is wrong with an entry, in words for people; the server's own where it knows more than we do. */
export function useProblemWords(): (problem: HealthProblem) => string {
  const { t } = useTranslation('workflowApi')
  return useCallback(
    ({ code, message }) => {
      const known = KNOWN.find((one) => one === code)
      return known ? t(`health.${known}`) : message
    },
    [t],
  )
}
