import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

type Person = { name: string; isDeleted?: boolean | undefined }

/** The display name of a user. Deleted or unknown users get a name in the reader's language. */
export function usePersonName(): (person: Person | null | undefined) => string {
  const { t } = useTranslation()
  return useCallback((person) => (!person || person.isDeleted ? t('deletedUser') : person.name), [t])
}
