import { expect, type Page, test } from '@playwright/test'
import { signUp, xsrf } from './people'
import { startReceiver, verifyInJavaScript, verifyInPython } from './webhook-receiver'

type App = { workflow: string; api: string }

/** A private workflow API of the signed-in user that draws a small picture. */
async function makeApp(page: Page): Promise<App> {
  const headers = await xsrf(page)
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(path, { data, headers })
    expect(answer.status(), path).toBe(201)
    return ((await answer.json()) as { _id: string })._id
  }
  const image = { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } }
  const save = { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'hook' } }
  const workflow = await post('/api/general/workflow', { name: 'Hooked', prompt: { output: { 1: image, 2: save } } })
  const inputs = {
    '1.color': { order: 1, id: '1', name: 'color', nodeName: 'EmptyImage', adapter: { apiFieldName: 'color' } },
  }
  const outputs = { 2: { id: '2', order: 1, name: 'Picture' } }
  return { workflow, api: await post('/api/general/workflow-api', { workflow, inputs, outputs }) }
}

test('a user attaches a webhook, sees a delivery, and resends it until it is taken', async ({ page }) => {
  const receiver = await startReceiver([500, 200])
  const { messages } = receiver
  try {
    await signUp(page)
    const { workflow, api } = await makeApp(page)
    await page.goto(`/workflow-api/${workflow}?tab=webhook`)
    const button = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
    await button('Add webhook').click()
    const form = page.getByRole('dialog', { name: 'Add webhook' })
    await form.getByLabel('Name', { exact: true }).fill('Local')
    await form.getByLabel('Address').fill(receiver.url)
    await form.getByRole('checkbox', { name: /^Job done/ }).check()
    await form.getByRole('button', { name: 'Add webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'Signing secret' })
    const secret = (await dialog.getByText(/^whsec_/).textContent()) ?? ''
    await dialog.getByRole('button', { name: 'I have copied it' }).click()

    const run = await page.request.post(`/api/general/job/workflow-api/${api}`, {
      data: { color: 7 },
      headers: await xsrf(page),
    })
    expect(run.status()).toBe(201)
    const job = ((await run.json()) as { _id: string })._id
    await expect.poll(() => messages.length, { timeout: 60_000 }).toBeGreaterThan(0)
    // The server records an attempt when it has its answer. An empty history is not loaded again.
    const last = async () => {
      const list = await page.request.get(`/api/general/webhook-config/${api}`)
      const { items } = (await list.json()) as { items: { lastAttempt: { status: string } | null }[] }
      return items[0]?.lastAttempt?.status
    }
    await expect.poll(last).toBe('Failed')
    await button('History').click()
    const attempts = page.getByRole('list', { name: 'History' }).getByRole('button')
    await expect(attempts.filter({ hasText: 'Failed 500' })).toHaveCount(1)
    const view = page.getByRole('region', { name: 'Job done' })
    await expect(view.getByRole('region', { name: 'Payload' })).toContainText(job)
    await expect(view.getByRole('region', { name: 'Response' })).toContainText('answer 1')

    // It is tried again by itself later, or now.
    await button('Resend').click()
    await expect(page.locator('[data-toast]').filter({ hasText: 'success to resend webhook' })).toBeVisible()
    await expect(attempts.first()).toContainText('Success 200')
    await expect(attempts.first()).toContainText('Attempt 2')
    expect(messages.map(({ id }) => id)).toEqual([messages[0]?.id, messages[0]?.id])
    expect(JSON.parse(messages[1]?.body ?? '')).toMatchObject({ type: 'job.done', data: { job, workflowApi: api } })

    // A new secret signs at once, and the old one beside it.
    await button('New secret').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create a new secret' }).click()
    const fresh = (await dialog.getByText(/^whsec_/).textContent()) ?? ''
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    const before = messages.length
    await button('Send test').click()
    await expect.poll(() => messages.length).toBeGreaterThan(before)
    await expect(attempts.first()).toContainText('Test')
    const signed = messages.map((message, at) => ({ message, secrets: at < before ? [secret] : [secret, fresh] }))
    for (const { message, secrets } of signed) {
      for (const one of secrets) {
        expect(verifyInJavaScript(message, one)).toEqual(JSON.parse(message.body))
        verifyInPython(message, one)
      }
      const other = { ...message, body: `${message.body} ` }
      expect(() => verifyInJavaScript(other, secret)).toThrow()
      expect(() => verifyInPython(other, secret)).toThrow()
    }
  } finally {
    receiver.stop()
  }
})
