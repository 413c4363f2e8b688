import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Language } from '@/shared/i18n'
import { announcementsQuery } from './announcements'

/** The workflow or mini app that an address opens. */
export const workflowOf = (pathname: string): string | undefined =>
  /^\/(?:admin\/)?(?:workflows|basic-workflows|easy-app)\/([^/]+)\/?$/.exec(pathname)?.[1]

/** What is to be said about the workflow at this address, in the language of the page; mostly nothing. */
export function useWorkflowAlert(pathname: string): { title: string; text: string } | undefined {
  const { i18n } = useTranslation()
  const alert = useQuery(announcementsQuery()).data?.workflowAlert
  const id = workflowOf(pathname)
  if (!alert || !id || !alert.workflows.includes(id)) return undefined
  const language = i18n.language as Language
  return { title: alert.title[language], text: alert.text[language] }
}
