import i18next from 'i18next'
import type curation from './locales/en/curation.json'
import type legal from './locales/en/legal.json'

/** English texts of pages that few people open: they come with their pages. Korean ones come all at once. */
export type LateTexts = { curation: typeof curation; legal: typeof legal }

/** Makes the texts of a page known, before it is shown for the first time. */
export function addTexts<N extends keyof LateTexts>(namespace: N, texts: LateTexts[N]): void {
  const add = () => i18next.addResourceBundle('en', namespace, texts)
  // Code may arrive before the start is over.
  if (i18next.isInitialized) add()
  else i18next.on('initialized', add)
}
