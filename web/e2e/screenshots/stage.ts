import { expect, type Page } from '@playwright/test'
import { sendRequest } from '../site-pages'

type Listed = { items: { _id: string; status?: string; isPrivate?: boolean }[] }

const list = async (page: Page, path: string): Promise<Listed['items']> =>
  ((await (await page.request.get(path)).json()) as Listed).items

/** Sends a request that must succeed and returns the id of the result. */
async function make(page: Page, path: string, data: unknown): Promise<string> {
  const answer = await sendRequest(page, 'post', path, data)
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
  return ((await answer.json()) as { _id: string })._id
}

/** Creates a failed job: its prompt is valid, but asks for more than a worker makes. */
export async function stageFailure(person: Page): Promise<void> {
  const jobs = () => list(person, '/api/general/job?limit=50')
  const failed = async () => (await jobs()).some((job) => job.status === 'ExecuteError')
  if (await failed()) return
  const side = 16384
  await make(person, '/api/general/job/prompt', {
    prompt: {
      1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
      2: {
        class_type: 'ImageScale',
        inputs: { image: ['1', 0], width: side, height: side, upscale_method: 'lanczos', crop: 'disabled' },
      },
      3: { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'large' } },
    },
  })
  await expect.poll(failed, { timeout: 60_000 }).toBe(true)
}

/** Adds comments to a post of this user and reports one of them, unless they exist. */
export async function stageTalk(person: Page, admin: Page): Promise<void> {
  const post = (await list(person, '/api/general/workflow/my?limit=50')).find((one) => !one.isPrivate)?._id
  if (!post) return
  const comments = await list(person, `/api/public/comment/workflow/${post}?page=1&limit=1`)
  if (comments.length > 0) return
  const comment = (page: Page, content: string, parent?: string) =>
    make(page, '/api/general/comment', parent ? { parent, content } : { workflow: post, content })
  const first = await comment(admin, '<p>색이 정말 부드럽게 이어지네요. 시드 값을 어떻게 정하셨나요?</p>')
  await comment(person, '<p>Thank you! I tried a hundred of them and <strong>kept three</strong>.</p>', first)
  const rude = await comment(admin, '<p>Cheap followers, write to me.</p>')
  expect((await sendRequest(admin, 'post', `/api/general/workflow-like/${post}`)).ok()).toBe(true)
  await make(person, '/api/general/report', {
    kind: 'Comment',
    id: rude,
    reason: 'Spam',
    text: 'It stands everywhere.',
  })
}

/** Shows a waiting job with the reason, then cancels all jobs. */
export async function whileWaiting(person: Page, app: string, look: () => Promise<void>): Promise<void> {
  const ids: string[] = []
  for (let job = 0; job < 8; job += 1) ids.push(await make(person, `/api/general/job/workflow-api/${app}`, {}))
  const reason = person.waitForResponse((answer) => answer.url().endsWith('/why') && answer.ok())
  await person.goto(`/jobs/${ids.at(-1)}`)
  await reason
  await look()
  for (const id of ids.reverse()) await sendRequest(person, 'post', `/api/general/job/${id}/cancel`)
}
