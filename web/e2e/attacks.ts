import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'

type Attack = { class: string; text: string }

/** The attack collection, shared with the server's tests. */
export const ATTACKS = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../core/tests/data/xss.json', import.meta.url)), 'utf8'),
) as Attack[]

export const inClass = (name: string): string[] =>
  ATTACKS.filter((attack) => attack.class === name).map(({ text }) => text)

/** The HTML attacks. Names and file names are plain text everywhere. */
export const HTML_ATTACKS = ATTACKS.filter((attack) => !['names', 'file names'].includes(attack.class)).map(
  ({ text }) => text,
)

/** Records what must never happen while the page is open. Tests expect an empty list. */
export async function recordFaults(page: Page, origin: string): Promise<string[]> {
  const seen: string[] = []
  await page.exposeFunction('__attackRan', (what: string) => {
    seen.push(`${page.url()}: ran ${what}`)
  })
  await page.addInitScript(() => {
    const report = (what: string) => (window as unknown as { __attackRan: (what: string) => void }).__attackRan(what)
    for (const name of ['alert', 'confirm', 'prompt', 'print'] as const) {
      Object.defineProperty(window, name, { value: () => report(name), writable: false })
    }
    document.addEventListener('securitypolicyviolation', (event) => {
      report(`violated the content policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`)
    })
  })
  page.on('dialog', (dialog) => {
    seen.push(`${page.url()}: opened a dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => seen.push(`${page.url()}: opened a window ${popup.url()}`))
  page.on('request', (request) => {
    const address = new URL(request.url())
    const inside = ['data:', 'blob:'].includes(address.protocol) || address.origin === origin
    if (!inside) seen.push(`${page.url()}: requested ${request.url()}`)
  })
  page.on('framenavigated', (frame) => {
    if (frame.url() !== 'about:blank' && new URL(frame.url()).origin !== origin) seen.push(`went to ${frame.url()}`)
  })
  return seen
}

/** Forbidden elements and attributes in the document, or in this HTML as the browser parses it. */
export function leftovers(page: Page, html?: string): Promise<string[]> {
  return page.evaluate((text) => {
    const found: string[] = []
    const document = text === undefined ? window.document : new DOMParser().parseFromString(text, 'text/html')
    const allowed = ['H2', 'H3', 'H4', 'P', 'BR', 'STRONG', 'EM', 'U', 'A', 'IMG', 'UL', 'OL', 'LI']
    const own = [...document.querySelectorAll('*')]
    const containers = text === undefined ? [...document.querySelectorAll('[data-user-html]')] : [document.body]
    for (const element of own) {
      for (const { name, value } of element.attributes) {
        if (/^on/i.test(name)) found.push(`${element.tagName} has the handler ${name}=${value}`)
        if (
          /^(href|src|action|formaction|data|xlink:href)$/i.test(name) &&
          /^[^a-z]*(javascript|vbscript|data:text)/i.test(value)
        )
          found.push(`${element.tagName} leads to ${value}`)
      }
      if (['IFRAME', 'OBJECT', 'EMBED', 'BASE', 'APPLET', 'PORTAL'].includes(element.tagName)) {
        found.push(`there is a ${element.tagName}`)
      }
    }
    for (const container of containers) {
      for (const element of container.querySelectorAll('*')) {
        if (!allowed.includes(element.tagName)) found.push(`${element.tagName} in user text`)
        for (const { name, value } of element.attributes) {
          const fits =
            (element.tagName === 'A' && ['href', 'rel', 'target', 'aria-label'].includes(name)) ||
            (element.tagName === 'IMG' && ['src', 'alt', 'loading'].includes(name))
          if (!fits) found.push(`${element.tagName} with ${name}=${value}`)
        }
        const link = element.getAttribute('href')
        if (link !== null && !/^(https?:|mailto:)/i.test(new URL(link, 'https://own.example/').protocol))
          found.push(`a link to ${link}`)
        const source = element.getAttribute('src')
        if (source !== null && !new URL(source, 'https://own.example/').href.startsWith('https://own.example/media/'))
          found.push(`a picture from ${source}`)
      }
    }
    return found
  }, html)
}
