import { Suspense, type SyntheticEvent, useState } from 'react'
import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from './lazy-part'
import styles from './rich-text.module.css'

const TAGS = ['h2', 'h3', 'h4', 'p', 'br', 'strong', 'em', 'u', 'a', 'img', 'ul', 'ol', 'li']
/** The URLs that the server allows: other sites by name, mail, this site, and fragments. */
const ADDRESS = /^(?:https?:\/\/|mailto:|\/(?!\/)|#)/i
/** Pictures load without a click: never over plain HTTP to other sites. */
const PICTURE = /^(?:https:\/\/|\/(?!\/))/i

let purify: typeof import('dompurify').default | undefined

/** Loaded with the first text: most pages only quote plain text. */
export const loadSanitizer = chunk(
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
    // Screen readers skip a picture without a description instead of reading its URL.
    if (!node.hasAttribute('alt')) node.setAttribute('alt', '')
    node.setAttribute('loading', 'lazy')
  }
}

const isShown = (picture: Element) => PICTURE.test(picture.getAttribute('src') ?? '')

/** Gives a link without text its URL as name: it would be focusable but invisible. */
function nameLink(link: Element): void {
  const pictures = [...link.querySelectorAll('img')]
  if (link.textContent?.trim() || pictures.some((picture) => picture.getAttribute('alt')?.trim())) return
  const address = link.getAttribute('href') ?? ''
  if (pictures.some(isShown)) link.setAttribute('aria-label', address)
  else link.textContent = address
}

const CleanTextLater = lazyPart(async () => {
  await loadSanitizer()
  return { default: CleanText }
})

/**
 * HTML of a user. The server has already sanitised it; this is a second barrier. Shows plain text until the sanitiser
 * has loaded.
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
      {blocksOf(html).map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a constant text.
        <p key={index}>{text}</p>
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
      onErrorCapture={retryPicture}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised above by an allow-list.
      dangerouslySetInnerHTML={{ __html: clean ?? '' }}
    />
  )
}

/** How long after a failure a picture of the text is requested again. */
const RETRY_MS = 1500
const retried = new WeakSet<EventTarget>()

function retryPicture({ target }: SyntheticEvent): void {
  if (!(target instanceof HTMLImageElement) || retried.has(target)) return
  retried.add(target)
  setTimeout(() => target.setAttribute('src', target.src), RETRY_MS)
}

const BLOCKS = 'p, h2, h3, h4, li'
const bodyOf = (html: string) => new DOMParser().parseFromString(html, 'text/html').body

/** The plain text of HTML, block by block. Nothing in it is loaded or run. */
function blocksOf(html: string): string[] {
  const body = bodyOf(html)
  const blocks = [...body.querySelectorAll(BLOCKS)].filter((block) => !block.querySelector(BLOCKS))
  const text = (blocks.length > 0 ? blocks : [body]).map(({ textContent }) => textContent?.trim() ?? '')
  return text.filter((one) => one !== '')
}

/** The plain text of HTML in one line. Nothing in it is loaded or run. */
export function plainText(html: string): string {
  const text = bodyOf(html.replace(/<(br|\/p|\/h[2-4]|\/li)\b/gi, ' $&')).textContent
  return (text ?? '').replace(/\s+/g, ' ').trim()
}
