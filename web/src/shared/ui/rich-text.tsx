import { use } from 'react'
import styles from './rich-text.module.css'

const TAGS = ['h2', 'h3', 'h4', 'p', 'br', 'strong', 'em', 'u', 'a', 'img', 'ul', 'ol', 'li']
const ADDRESS = /^(?:https:\/\/|\/(?!\/))/i

let purifier: Promise<typeof import('dompurify').default> | undefined

/** Fetched when the first text is shown: most pages that only quote some words have none. */
const cleaner = () => {
  purifier ??= import('dompurify').then(({ default: purify }) => {
    purify.addHook('afterSanitizeAttributes', (node) => {
      if (node.tagName === 'A') {
        node.setAttribute('rel', 'ugc nofollow noopener noreferrer')
        node.setAttribute('target', '_blank')
      }
      if (node.tagName === 'IMG') node.setAttribute('loading', 'lazy')
    })
    return purify
  })
  return purifier
}

/** HTML that a person wrote. The server has cleaned it already; this is the second lock. Suspends until the cleaner is loaded. */
export function RichText({ html }: { html: string }) {
  const purify = use(cleaner())
  const clean = purify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'src', 'alt'],
    ALLOWED_URI_REGEXP: ADDRESS,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  })
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned one line above by an allow-list.
  return <div className={styles.text} data-user-html="" dangerouslySetInnerHTML={{ __html: clean }} />
}

/** The words of an HTML text, for places that show one line. Nothing in it is loaded or run. */
export function plainText(html: string): string {
  const words = new DOMParser().parseFromString(html.replace(/<(br|\/p|\/h[2-4]|\/li)\b/gi, ' $&'), 'text/html').body
    .textContent
  return (words ?? '').replace(/\s+/g, ' ').trim()
}
