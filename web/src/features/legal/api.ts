import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { Language } from '@/shared/api/types'
import { chunk } from '@/shared/lib/chunk'
import type { LegalName, LegalText } from './model'

const DAY_MS = 86_400_000

/** Who runs this installation, and what the texts depend on. */
export const operatorQuery = () =>
  queryOptions({
    queryKey: keys.operator,
    queryFn: ({ signal }) => data(api.GET('/api/public/operator', { signal })),
    staleTime: DAY_MS,
  })

/** What an installation keeps unpublished pictures for, where nothing else is set. */
const USUAL_DAYS = 30

/** For how many days pictures that are not published are kept here. */
export const useOutputDays = (): number => useQuery(operatorQuery()).data?.outputDays ?? USUAL_DAYS

type TextModule = { default: { sections: unknown } }

const TEXTS: Record<LegalName, Record<Language, () => Promise<TextModule>>> = {
  terms: { en: chunk(() => import('./texts/terms-en.json')), ko: chunk(() => import('./texts/terms-ko.json')) },
  privacy: { en: chunk(() => import('./texts/privacy-en.json')), ko: chunk(() => import('./texts/privacy-ko.json')) },
}

/** A text in one language. It is fetched when it is opened: nobody needs it to look at pictures. */
export const legalTextQuery = (name: LegalName, language: Language) =>
  queryOptions({
    queryKey: [...keys.legal, name, language] as const,
    queryFn: async () => (await TEXTS[name][language]()).default as LegalText,
    staleTime: Number.POSITIVE_INFINITY,
  })
