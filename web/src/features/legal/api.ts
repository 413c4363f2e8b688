import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { Language } from '@/shared/api/types'
import { chunk } from '@/shared/lib/chunk'
import type { LegalName, LegalText } from './model'

const DAY_MS = 86_400_000

/** The operator of this installation, and the settings that the legal texts depend on. */
export const operatorQuery = () =>
  queryOptions({
    queryKey: keys.operator,
    queryFn: ({ signal }) => data(api.GET('/api/public/operator', { signal })),
    staleTime: DAY_MS,
  })

const USUAL_DAYS = 30

/** For how many days unpublished pictures are kept. */
export const useOutputDays = (): number => useQuery(operatorQuery()).data?.outputDays ?? USUAL_DAYS

type TextModule = { default: { sections: unknown } }

const TEXTS: Record<LegalName, Record<Language, () => Promise<TextModule>>> = {
  terms: { en: chunk(() => import('./texts/terms-en.json')), ko: chunk(() => import('./texts/terms-ko.json')) },
  privacy: { en: chunk(() => import('./texts/privacy-en.json')), ko: chunk(() => import('./texts/privacy-ko.json')) },
}

/** A text in one language, loaded on demand. */
export const legalTextQuery = (name: LegalName, language: Language) =>
  queryOptions({
    queryKey: [...keys.legal, name, language] as const,
    queryFn: async () => (await TEXTS[name][language]()).default as LegalText,
    staleTime: Number.POSITIVE_INFINITY,
  })
