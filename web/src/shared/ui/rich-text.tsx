import { Suspense, type SyntheticEvent, useState } from 'react'
import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from './lazy-part'
import styles from './rich-text.module.css'

const TAGS = ['h2', 'h3', 'h4', 'p', 'br', 'strong', 'em', 'u', 'a', 'img', 'ul', 'ol', 'li']
/** What the server lets stand: other sites by name, mail, this site, and a place on the page. */
const ADDRESS = /^(?:https?:\/\/|mailto:|\/(?!\/)|#)/i
/** Pictures are fetched without a press: never in the clear. */
const PICTURE = /^(?:https:\/\/|\/(?!\/))/i

let purify: typeof import('dompurify').default | undefined

/** Fetched when the first text is shown: most pages that only quote some words have none. */
export const cleanerOfTexts = chunk(
  () => import('dompurify'),
  ({ default: cleaner }) => {
    cleaner.addHook('afterSanitizeAttributes', cleanElement)
    purify = cleaner
    return cleaner
  },
)

function cleanElement(node: Element): void {
  if (node.tagName === 'A' && node.hasAttribute('href')) {
    node.setAttribute('rel', 'ugc nofollow noopener noreferrer')
    if (!node.getAttribute('href')?.startsWith('#')) node.setAttribute('target', '_blank')
    nameLink(node)
  }
  if (node.tagName === 'IMG') {
    if (!isShown(node)) node.removeAttribute('src')
    // What its writer did not describe is passed over by a screen reader, instead of being read by its address.
    if (!node.hasAttribute('alt')) node.setAttribute('alt', '')
    node.setAttribute('loading', 'lazy')
  }
}

const isShown = (picture: Element) => PICTURE.test(picture.getAttribute('src') ?? '')

/** A link with no words of its own is called by its address: what cannot be seen or heard would still take the focus. */
function nameLink(link: Element): void {
  const pictures = [...link.querySelectorAll('img')]
  if (link.textContent?.trim() || pictures.some((picture) => picture.getAttribute('alt')?.trim())) return
  const address = link.getAttribute('href') ?? ''
  if (pictures.some(isShown)) link.setAttribute('aria-label', address)
  else link.textContent = address
}

const CleanTextLater = lazyPart(async () => {
  await cleanerOfTexts()
  return { default: CleanText }
})

/**
 * HTML that a person wrote. The server has cleaned it already; this is the second lock. Until that is loaded, its words
 * are there.
 */
export function RichText({ html }: { html: string }) {
  const [Text] = useState(() => (purify ? CleanText : CleanTextLater))
  return (
    <Suspense fallback={<PlainBlocks html={html} />}>
      <Text html={html} />
    </Suspense>
  )
}

function PlainBlocks({ html }: { html: string }) {
  return (
    <div className={styles.text} aria-busy="true">
      {blocksOf(html).map((words, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text that does not change.
        <p key={index}>{words}</p>
      ))}
    </div>
  )
}

function CleanText({ html }: { html: string }) {
  const clean = purify?.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'src', 'alt'],
    ALLOWED_URI_REGEXP: ADDRESS,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  })
  return (
    <div
      className={styles.text}
      data-user-html=""
      onErrorCapture={askAgain}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned above by an allow-list.
      dangerouslySetInnerHTML={{ __html: clean ?? '' }}
    />
  )
}

/** How long after a failure a picture of the text is asked for once more. */
const AGAIN_MS = 1500
const askedAgain = new WeakSet<EventTarget>()

function askAgain({ target }: SyntheticEvent): void {
  if (!(target instanceof HTMLImageElement) || askedAgain.has(target)) return
  askedAgain.add(target)
  setTimeout(() => target.setAttribute('src', target.src), AGAIN_MS)
}

const BLOCKS = 'p, h2, h3, h4, li'
const bodyOf = (html: string) => new DOMParser().parseFromString(html, 'text/html').body

/** The words of an HTML text, block by block. Nothing in it is loaded or run. */
function blocksOf(html: string): string[] {
  const body = bodyOf(html)
  const blocks = [...body.querySelectorAll(BLOCKS)].filter((block) => !block.querySelector(BLOCKS))
  const words = (blocks.length > 0 ? blocks : [body]).map(({ textContent }) => textContent?.trim() ?? '')
  return words.filter((one) => one !== '')
}

/** The words of an HTML text, for places that show one line. Nothing in it is loaded or run. */
export function plainText(html: string): string {
  const words = bodyOf(html.replace(/<(br|\/p|\/h[2-4]|\/li)\b/gi, ' $&')).textContent
  return (words ?? '').replace(/\s+/g, ' ').trim()
}
