import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { local } from '@/shared/lib/storage'
import en from './locales/en'

export type Language = 'en' | 'ko'
export const languages: Language[] = ['en', 'ko']
const STORED = 'vg.language'

/** The language that was chosen in this browser; English when none was. */
export const storedLanguage = (): Language => (local.get(STORED) === 'ko' ? 'ko' : 'en')

/** Korean texts are fetched when they are first needed. */
async function load(language: Language): Promise<void> {
  if (language !== 'ko' || i18next.hasResourceBundle('ko', 'common')) return
  const { default: ko } = await import('./locales/ko')
  for (const [namespace, texts] of Object.entries(ko)) i18next.addResourceBundle('ko', namespace, texts)
}

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
    resources: { en },
    defaultNS: 'common',
    interpolation: { escapeValue: false },
    showSupportNotice: false,
  } as Parameters<typeof i18next.init>[0])
  await load(language)
  if (language !== 'en') await i18next.changeLanguage(language)
  document.documentElement.lang = language
}
