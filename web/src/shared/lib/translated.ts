import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '@/shared/api/types'

/** Texts in other languages than the original. A missing translation falls back to the original. */
type Translated = { translations?: Partial<Record<Language, object | null>> | null | undefined }

/** An item with its texts in this language, or as written. For display only: forms edit the original. */
export function translated<T extends Translated>(thing: T, language: string): T {
  const translations = thing.translations?.[language as Language]
  if (!translations) return thing
  return { ...thing, ...Object.fromEntries(Object.entries(translations).filter(([, words]) => words != null)) }
}

/** {@link translated} in the language of the page. */
export function useTranslated(): <T extends Translated>(thing: T) => T {
  const { i18n } = useTranslation()
  return useCallback((thing) => translated(thing, i18n.language), [i18n.language])
}
