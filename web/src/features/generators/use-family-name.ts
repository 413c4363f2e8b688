import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { FAMILY_NAMES, type FamilyKey } from './model'

/** The name of a model family; the identifier of one that a newer server has. */
export function useFamilyName(): (family: string) => string {
  const { t, i18n } = useTranslation('generators')
  return useCallback(
    (family) =>
      i18n.exists(`families.${family}`, { ns: 'generators' })
        ? t(`families.${family as FamilyKey}`)
        : (FAMILY_NAMES[family] ?? family),
    [t, i18n],
  )
}
