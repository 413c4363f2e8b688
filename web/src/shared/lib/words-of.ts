import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '@/shared/api/types'

/** What something says in other languages than the one it was written in. What is missing there it says as written. */
type Translated = { translations?: Partial<Record<Language, object | null>> | null | undefined }

/**
 * A workflow, a setting, an output with its words in this language; where it has none, as it was written. For looking
 * at alone: what is edited is the original.
 */
export function wordsOf<T extends Translated>(thing: T, language: string): T {
  const told = thing.translations?.[language as Language]
  if (!told) return thing
  return { ...thing, ...Object.fromEntries(Object.entries(told).filter(([, words]) => words != null)) }
}

/** {@link wordsOf} in the language of the page. */
export function useWordsOf(): <T extends Translated>(thing: T) => T {
  const { i18n } = useTranslation()
  return useCallback((thing) => wordsOf(thing, i18n.language), [i18n.language])
}
