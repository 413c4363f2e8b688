import { readFileSync } from 'node:fs'
import { act, render, waitFor } from '@testing-library/react'
import { Suspense } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { plainText, RichText } from './rich-text'

async function show(html: string): Promise<HTMLElement> {
  const { container } = await act(async () =>
    render(
      <Suspense fallback={<i />}>
        <RichText html={html} />
      </Suspense>,
    ),
  )
  await waitFor(() => expect(container.querySelector('div')).not.toBeNull())
  return container
}

const ATTACKS = [
  '<script>steal()</script>',
  '<img src=x onerror=steal()>',
  '<img src="http://tracker.example/p.png">',
  '<a href="javascript:steal()">x</a>',
  '<a href="//evil.example">x</a>',
  '<svg onload=steal()><p>x</p></svg>',
  '<iframe src="https://evil.example"></iframe>',
  '<p style="position:fixed" class="x" onclick="steal()">x</p>',
  '<math><mtext><table><mglyph><style><img src=x onerror=steal()>',
  '<form action="https://evil.example"><input name=q></form>',
]

describe('text that people wrote', () => {
  it('shows plain text until the sanitiser has loaded', () => {
    const html = '<h2>Waves</h2><p>of <strong>silk</strong><img src="https://a.example/p.png"></p><ul><li>one</li></ul>'
    const { container } = render(<RichText html={html} />)
    expect([...container.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual([
      'Waves',
      'of silk',
      'one',
    ])
    expect(container.querySelector('img, strong')).toBeNull()
  })

  it.each(ATTACKS)('cannot run, load or mislead: %s', async (html) => {
    const { innerHTML } = await show(html)
    expect(innerHTML).not.toMatch(
      /script|onerror|onload|onclick|javascript:|iframe|style=|class="x"|<form|<input|tracker|evil/i,
    )
  })

  it("keeps the editor's markup and marks links", async () => {
    const container = await show(
      '<h2>T</h2><p><strong>b</strong> <em>i</em> <u>u</u> <a href="https://example.com/a">l</a></p><ul><li>1</li></ul>',
    )
    expect(container.querySelectorAll('h2, strong, em, u, li')).toHaveLength(5)
    const link = container.querySelector('a')
    expect(link?.getAttribute('href')).toBe('https://example.com/a')
    expect(link?.getAttribute('rel')).toContain('ugc')
  })
})

it('keeps the links that the server allows', async () => {
  const links = ['http://example.com/a', 'mailto:ann@example.com', '/workflows', '#top']
  const container = await show(links.map((to) => `<a href="${to}">x</a>`).join(' '))
  expect([...container.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual(links)
})

it('names every link and describes every picture', async () => {
  const to = 'https://example.com/a'
  const container = await show(
    [
      `<a href="${to}"><img src="x"></a>`,
      `<a href="${to}"> </a>`,
      `<a href="${to}"><img src="/media/raw/a.png"></a>`,
      `<a href="${to}"><img src="/media/raw/a.png" alt="a cat"></a>`,
      `<a href="${to}">there</a>`,
    ].join(''),
  )
  const links = [...container.querySelectorAll('a')]
  expect(links.map((link) => [link.textContent, link.getAttribute('aria-label')])).toEqual([
    [to, null],
    [to, null],
    ['', to],
    ['', null],
    ['there', null],
  ])
  expect([...container.querySelectorAll('img')].map((picture) => picture.getAttribute('alt'))).toEqual(['', 'a cat'])
})

it('reduces HTML to plain text for one line', () => {
  expect(plainText('<p>One</p><p>two <b>three</b></p><script>x</script>')).not.toContain('<')
  expect(plainText('<p>One</p><p>two</p>')).toBe('One two')
})

it('renders only valid targets as links', async () => {
  const container = await show('<a href="javascript:steal()">x</a>')
  expect(container.querySelector('a')?.hasAttribute('href')).toBe(false)
  const css = readFileSync('src/shared/ui/rich-text.module.css', 'utf8')
  expect(css, 'links without an address look as if they could be pressed').not.toMatch(/\.text a[^[\w]/)
  expect(css).toContain('.text a[href]')
})

it('loads the sanitiser again after a failure', async () => {
  vi.resetModules()
  vi.doMock('dompurify', () => {
    throw new Error('no network')
  })
  const { loadSanitizer } = await import('./rich-text')
  await expect(loadSanitizer()).rejects.toThrow()
  vi.doUnmock('dompurify')
  expect(await loadSanitizer()).toBeTruthy()
})
