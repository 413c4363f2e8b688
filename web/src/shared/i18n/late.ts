import i18next from 'i18next'
import type audit from './locales/en/audit.json'
import type curation from './locales/en/curation.json'
import type legal from './locales/en/legal.json'
import type moderation from './locales/en/moderation.json'
import type people from './locales/en/people.json'

/** English texts of pages that few people open: they come with their pages. Korean ones come all at once. */
export type LateTexts = {
  audit: typeof audit
  curation: typeof curation
  legal: typeof legal
  moderation: typeof moderation
  people: typeof people
}

/** Makes the texts of a page known, before it is shown for the first time. */
export function addTexts<N extends keyof LateTexts>(namespace: N, texts: LateTexts[N]): void {
  const add = () => i18next.addResourceBundle('en', namespace, texts)
  // Code may arrive before the start is over.
  if (i18next.isInitialized) add()
  else i18next.on('initialized', add)
}
