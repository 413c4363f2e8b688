import i18next from 'i18next'
import type account from './locales/en/account.json'
import type audit from './locales/en/audit.json'
import type curation from './locales/en/curation.json'
import type legal from './locales/en/legal.json'
import type moderation from './locales/en/moderation.json'
import type people from './locales/en/people.json'
import type profile from './locales/en/profile.json'
import type videos from './locales/en/videos.json'

/**
 * English texts of pages that few people open, or not at once: they come with their pages, so that the first page of a
 * visit stays light. Each of these features has a `texts.ts`, which its pages import. Korean texts come all at once.
 */
export type LateTexts = {
  account: typeof account
  audit: typeof audit
  curation: typeof curation
  legal: typeof legal
  moderation: typeof moderation
  people: typeof people
  profile: typeof profile
  videos: typeof videos
}

/** Makes the texts of a page known, before it is shown for the first time. */
export function addTexts<N extends keyof LateTexts>(namespace: N, texts: LateTexts[N]): void {
  const add = () => i18next.addResourceBundle('en', namespace, texts)
  // Code may arrive before the start is over.
  if (i18next.isInitialized) add()
  else i18next.on('initialized', add)
}
