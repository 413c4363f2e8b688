import { expect, type Page, test } from '@playwright/test'
import { keepCache } from './api-mocks'

const CALL = '/api/public/operator'
const FILE = '/favicon.svg'

const bodyAt = async (page: Page, path: string) => (await page.goto(path))?.text()
const words = (text: string) => JSON.stringify({ text })
const mock = (page: Page, address: string | RegExp, text: string) =>
  page.route(address, (route) => route.fulfill({ json: { text } }))

test('a mock of any address answers every request', async ({ context }) => {
  const addresses: [string | RegExp, string][] = [
    [`**${CALL}`, CALL],
    ['**/api/*/operator', CALL],
    ['**/api/{general,public}/operator', CALL],
    [CALL, CALL],
    [/\/api\/public\/operator$/g, CALL],
    [/\/api\/(general|public)\/operator$/, CALL],
    [/\/api\/nowhere$|\/favicon\.svg$/, FILE],
    [`**${FILE}`, FILE],
  ]
  for (const [address, path] of addresses) {
    const page = keepCache(await context.newPage())
    await mock(page, address, 'mocked')
    for (const time of ['first', 'second']) {
      expect(await bodyAt(page, path), `${address}, the ${time} request`).toBe(words('mocked'))
    }
    await page.close()
  }
})

test('the newest mock answers, also after a mock of another address, until it is removed or used up', async ({
  context,
}) => {
  const page = keepCache(await context.newPage())
  await mock(page, `**${CALL}`, 'older')
  await page.route('**/api/public/*', (route) => route.fulfill({ json: { text: 'newer' } }), { times: 2 })
  expect(await bodyAt(page, CALL)).toBe(words('newer'))
  await mock(page, `**${FILE}`, 'file')
  expect(await bodyAt(page, FILE)).toBe(words('file'))
  expect(await bodyAt(page, CALL)).toBe(words('newer'))
  expect(await bodyAt(page, CALL)).toBe(words('older'))
  await page.unroute(`**${CALL}`)
  expect(await bodyAt(page, CALL)).not.toBe(words('older'))
})

test('a handler passes a request on, to the next mock or to the server', async ({ context }) => {
  const page = keepCache(await context.newPage())
  await page.route(`**${CALL}`, async (route) => {
    const operator = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { text: Object.keys(operator).includes('name') } })
  })
  expect(await bodyAt(page, CALL)).toBe(JSON.stringify({ text: true }))
  await page.route(`**${CALL}`, (route) => route.fallback())
  expect(await bodyAt(page, CALL)).toBe(JSON.stringify({ text: true }))
  await page.route(`**${CALL}`, (route) => route.continue())
  expect(await bodyAt(page, CALL)).toContain('"name"')
})
