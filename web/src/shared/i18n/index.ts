import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { onReconnect } from '@/shared/api/connection'
import { chunk } from '@/shared/lib/chunk'
import { onIdle } from '@/shared/lib/on-idle'
import { local } from '@/shared/lib/storage'
import first from './locales/en/first'

export type Language = 'en' | 'ko'
export const languages: Language[] = ['en', 'ko']
const STORAGE_KEY = 'vg.language'
/** When texts that failed to load are requested retry. */
const RETRY_MS = 10_000

/** The browser's first preferred language that has texts; English if none has. */
export function browserLanguage(preferred: readonly string[] = navigator.languages): Language {
  const known = preferred.map((tag) => tag.toLowerCase().split('-')[0])
  return languages.find((language) => language === known.find((one) => languages.some((own) => own === one))) ?? 'en'
}

/** The language chosen in this browser, or the browser's own. */
export function storedLanguage(): Language {
  const stored = local.get(STORAGE_KEY)
  return languages.find((language) => language === stored) ?? browserLanguage()
}

function add(language: Language, texts: Record<string, object>): void {
  for (const [namespace, bundle] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, bundle)
}

/** The English texts that the first pages do not need. */
const loadRest = chunk(
  () => import('./locales/en/rest'),
  (texts) => add('en', texts.default),
)
const loadKorean = chunk(() => import('./locales/ko'))

async function load(language: Language): Promise<void> {
  if (language === 'en') return loadRest()
  const texts = await loadKorean()
  if (!i18next.hasResourceBundle('ko', 'common')) add('ko', texts.default)
}

/** Resolves when the texts of all pages are loaded. Korean texts are one file. */
export const restOfTexts = (): Promise<void> => (i18next.language === 'ko' ? Promise.resolve() : loadRest())

/** Loads a module and, in parallel, the texts of all pages. */
export const withTexts =
  <Module>(load: () => Promise<Module>): (() => Promise<Module>) =>
  async () =>
    (await Promise.all([load(), restOfTexts()]))[0]

/** Shows the application in `language` and remembers the choice. */
export async function showLanguage(language: Language): Promise<void> {
  local.set(STORAGE_KEY, language)
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
      // A page in English is better than none. Loading the rest of the texts retries the Korean ones.
      document.documentElement.lang = 'en'
      const retry = () => {
        // The user may have changed the language since.
        if (storedLanguage() === 'ko') void showLanguage('ko').catch(() => undefined)
      }
      const stop = onReconnect(() => {
        stop()
        retry()
      })
      setTimeout(retry, RETRY_MS)
      return
    }
  } else {
    // Not awaited: pages that need the texts wait for them and retry a failure.
    onIdle(() => void loadRest().catch(() => undefined))
  }
  document.documentElement.lang = language
}
