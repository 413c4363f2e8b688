import { useTranslation } from 'react-i18next'
import type { Notification } from '@/shared/api/types'
import { formatNumber } from '@/shared/lib/format'
import { usePersonName } from '@/shared/lib/person-name'
import { sentence } from '../model'

/** Says in one sentence what happened. */
export function useSentence(): (told: Notification) => string {
  const { t, i18n } = useTranslation('notifications')
  const nameOf = usePersonName()
  return (told) => {
    const key = sentence(told)
    const title = told.title.workflow
    if (key === 'notice') return title ?? t('said.notice')
    if (key === 'request') return title ? t('said.requestNamed', { title }) : t('said.request')
    const what = title ? t('workflow', { title }) : t('picture')
    const name = nameOf(told.user)
    const number = formatNumber(told.title.count ?? 0, i18n.language)
    return t(`said.${key}`, { name, what, number })
  }
}
