import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { onReturn } from '@/shared/api/connection'
import { chunk } from '@/shared/lib/chunk'
import { local } from '@/shared/lib/storage'
import { whenCalm } from '@/shared/lib/when-calm'
import first from './locales/en/first'

export type Language = 'en' | 'ko'
export const languages: Language[] = ['en', 'ko']
const STORED = 'vg.language'
/** When texts that did not come are asked for once more. */
const KOREAN_AGAIN_MS = 10_000

/** The first language of the browser that these pages are written in; English where it knows none of them. */
export function browserLanguage(preferred: readonly string[] = navigator.languages): Language {
  const known = preferred.map((tag) => tag.toLowerCase().split('-')[0])
  return languages.find((language) => language === known.find((one) => languages.some((own) => own === one))) ?? 'en'
}

/** The language that was chosen in this browser, else the browser's own. */
export function storedLanguage(): Language {
  const stored = local.get(STORED)
  return languages.find((language) => language === stored) ?? browserLanguage()
}

function add(language: Language, texts: Record<string, object>): void {
  for (const [namespace, bundle] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, bundle)
}

/** The English texts that the first pages do without. */
const loadRest = chunk(
  () => import('./locales/en/rest'),
  (texts) => add('en', texts.default),
)
const loadKorean = chunk(() => import('./locales/ko'))

/** Korean texts are fetched when they are first needed. */
async function load(language: Language): Promise<void> {
  if (language === 'en') return loadRest()
  const texts = await loadKorean()
  if (!i18next.hasResourceBundle('ko', 'common')) add('ko', texts.default)
}

/** Resolves when the texts of all pages are there. Korean ones come as a whole. */
export const restOfTexts = (): Promise<void> => (i18next.language === 'ko' ? Promise.resolve() : loadRest())

/** Loads a module, and beside it the texts of all pages. */
export const withTexts =
  <Module>(load: () => Promise<Module>): (() => Promise<Module>) =>
  async () =>
    (await Promise.all([load(), restOfTexts()]))[0]

/** Shows the application in `language` and remembers it for the next visit. */
export async function showLanguage(language: Language): Promise<void> {
  local.set(STORED, language)
  await load(language)
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

export async function startI18n(language: Language = storedLanguage()): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: first },
    defaultNS: 'common',
    react: { bindI18nStore: 'added' },
    interpolation: { escapeValue: false },
    showSupportNotice: false,
  } as Parameters<typeof i18next.init>[0])
  if (language === 'ko') {
    try {
      await load('ko')
      await i18next.changeLanguage('ko')
    } catch {
      // A page in English is better than none. What fetches the rest of the texts fetches the Korean ones again.
      document.documentElement.lang = 'en'
      const again = () => {
        // It may have been changed since.
        if (storedLanguage() === 'ko') void showLanguage('ko').catch(() => undefined)
      }
      const stop = onReturn(() => {
        stop()
        again()
      })
      setTimeout(again, KOREAN_AGAIN_MS)
      return
    }
  } else {
    // Nobody waits for them here: pages that need them do, and what fails is tried again there.
    whenCalm(() => void loadRest().catch(() => undefined))
  }
  document.documentElement.lang = language
}
