import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

type Person = { name: string; isDeleted?: boolean | undefined }

/** What somebody is called; whoever has left, or is not known any more, is called so in the reader's language. */
export function usePersonName(): (person: Person | null | undefined) => string {
  const { t } = useTranslation()
  return useCallback((person) => (!person || person.isDeleted ? t('deletedUser') : person.name), [t])
}
