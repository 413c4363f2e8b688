import { expect, type Page } from '@playwright/test'
import { liftByKeyboard } from '../sorting'
import { VIDEO } from '../youtube'
import { call, comment, type Fixtures, join, type Person, post } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

const fresh = (words: string) => `${words} ${Date.now()}`
const person = (_: string, { target }: Fixtures) => `/admin/user/info?user=${target.id}`
const items = async <Item>(admin: Person, path: string) => (await call<{ items: Item[] }>(admin, 'get', path)).items

type Tag = { _id: string; name: string; parentTag: string | null }
const tags = (admin: Person) => items<Tag>(admin, '/api/admin/workflow-tag')
const addTag = async (admin: Person, name: string) =>
  (await call<Tag>(admin, 'post', '/api/admin/workflow-tag', { name, nameKo: name, parentTag: null }))._id
/** Removes what the rows created. */
const sweep = async (admin: Person) => {
  for (const { _id, name } of await tags(admin)) {
    if (name.startsWith('Press ')) await call(admin, 'delete', `/api/admin/workflow-tag/${_id}`)
  }
}
const tagMenu = async (page: Page, name: string, entry: string) => {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}
const newTag = (page: Page) => page.getByRole('dialog', { name: 'New tag' })

type Video = { _id: string; name: string }
const videos = (admin: Person) => items<Video>(admin, '/api/admin/youtube-community/list?limit=24')
const noVideos = async (admin: Person) => {
  for (const { _id, name } of await videos(admin)) {
    if (name === VIDEO.title || name.startsWith('Press ')) {
      await call(admin, 'delete', `/api/admin/youtube-community/${_id}`)
    }
  }
}
const aVideo = async ({ admin }: Fixtures) => {
  await noVideos(admin)
  await call(admin, 'post', '/api/admin/youtube-community', { url: `https://youtu.be/${VIDEO.id}` })
  return VIDEO.title
}
const VIDEOS = '/admin/youtube-community'

type AgentToken = { _id: string; name: string; revokedAt: string | null }
const agentTokens = (admin: Person) => items<AgentToken>(admin, '/api/admin/agent-token')
const agentToken = async (admin: Person, name: string) => {
  const made = await call<{ agentToken: AgentToken }>(admin, 'post', '/api/admin/agent-token', { name, pools: ['cpu'] })
  return made.agentToken._id
}
const noAgentTokens = async (admin: Person) => {
  for (const { _id } of await agentTokens(admin)) await call(admin, 'delete', `/api/admin/agent-token/${_id}`)
}

type Notice = { _id: string; titleEn: string }
const notices = (admin: Person) => items<Notice>(admin, '/api/admin/notice')
const notice = (admin: Person, title: string) => {
  const content = '<p>Words</p>'
  const body = { titleEn: title, titleKo: title, contentEn: content, contentKo: content }
  return call<Notice>(admin, 'post', '/api/admin/notice', body)
}
const noNotices = async (admin: Person) => {
  for (const { _id, titleEn } of await notices(admin)) {
    if (titleEn.startsWith('Press ')) await call(admin, 'delete', `/api/admin/notice/${_id}`)
  }
}
const noticesOf = async (one: Person) => items<{ content: string }>(one, '/api/general/notification-box/list/NOTICE/20')
/** Lifts the first entry of a list by keyboard and moves it down one place, ready to be dropped. */
const lift = async (page: Page, list: string) => {
  const handle = page
    .getByRole('list', { name: list })
    .getByRole('button', { name: /^Move / })
    .first()
  await handle.focus()
  await liftByKeyboard(page, 1, 2)
}
const ORDERS = { tags: 'Tag groups', basics: 'Chosen' }
const handle = (list: string) => (page: Page) =>
  page.getByRole('list', { name: list }).locator('[aria-pressed=true]').first()
type Basic = { _id: string; name: string }
const basics = (admin: Person) => items<Basic>(admin, '/api/admin/basic-workflow')

type Coupon = { _id: string; name: string; isActive: boolean; code: string | null }
const COUPONS = '/admin/list/v2-coupons'
const couponsNamed = (admin: Person, name: string) =>
  items<Coupon>(admin, `/api/admin/coupon?search=${encodeURIComponent(name)}`)
const aCoupon = async ({ admin }: Fixtures) => {
  const name = fresh('Press coupon')
  const benefit = { kind: 'Credits', amount: 100, plan: null, days: null }
  await call(admin, 'post', '/api/admin/coupon', { name, benefit, code: `PRESS-${Date.now()}`, codeCount: null })
  return name
}
const couponAt = (name: string) => `${COUPONS}?search=${encodeURIComponent(name)}`

const creditsOf = async (admin: Person, { id }: Person) =>
  (await call<{ credits: number }>(admin, 'get', `/api/admin/user/${id}`)).credits

/** Actions of admins. */
export const ADMIN: Press[] = [
  {
    hook: 'people/useWarn',
    who: 'admin',
    stage: async () => fresh('Mind the rules'),
    path: person,
    reach: async (page, words) => {
      await mainButton(page, 'Warn').click()
      await page.getByRole('dialog').getByLabel('Warning', { exact: true }).fill(words)
    },
    button: (page) => dialogButton(page, 'Warn'),
    writes: ['POST /api/admin/user/:id/warning'],
    kept: async (_page, words, { target }) =>
      expect((await noticesOf(target)).filter(({ content }) => content.includes(words))).toHaveLength(1),
  },
  {
    hook: 'people/useBan',
    who: 'admin',
    path: person,
    reach: async (page) => {
      await mainButton(page, 'Ban').click()
      await page.getByRole('dialog').getByLabel('Reason', { exact: true }).fill('Twice')
    },
    button: (page) => dialogButton(page, 'Ban'),
    writes: ['POST /api/admin/user/:id/ban'],
    kept: (page) => expect(mainButton(page, 'Lift the ban')).toBeVisible(),
  },
  {
    hook: 'people/useUnban',
    who: 'admin',
    path: person,
    reach: (page) => mainButton(page, 'Lift the ban').click(),
    button: (page) => dialogButton(page, 'Lift the ban'),
    writes: ['DELETE /api/admin/user/:id/ban'],
    kept: (page) => expect(mainButton(page, 'Ban')).toBeVisible(),
  },
  {
    hook: 'people/useGrant',
    who: 'admin',
    stage: async ({ admin, target }) => String(await creditsOf(admin, target)),
    path: person,
    reach: async (page) => {
      await mainButton(page, 'Give credits').click()
      await page.getByRole('dialog').getByLabel('Amount').fill('100')
      await page.getByRole('dialog').getByLabel('Reason').fill(fresh('Pressed'))
    },
    button: (page) => dialogButton(page, 'Give credits'),
    writes: ['POST /api/admin/credit/grant'],
    kept: async (_page, before, { admin, target }) => expect(await creditsOf(admin, target)).toBe(Number(before) + 100),
  },
  {
    hook: 'people/useGivePlan',
    who: 'admin',
    path: person,
    reach: async (page) => {
      await mainButton(page, 'Give a plan').click()
      await page.getByRole('dialog').getByLabel('Plan').selectOption('Pro')
      await page.getByRole('dialog').getByLabel('Valid until').fill('2099-01-01')
    },
    button: (page) => dialogButton(page, 'Give a plan'),
    writes: ['PUT /api/admin/user/:id/plan'],
    kept: async (page) =>
      expect(page.getByRole('region', { name: 'Plan and credits' }).getByText('Pro, until')).toBeVisible(),
  },
  {
    hook: 'people/useConfirmAddress',
    who: 'admin',
    stage: async ({ admin }) => {
      const browser = admin.context.browser()
      if (!browser) throw new Error('the admin has no browser')
      const { context, id } = await join(browser, 'Unproven', false)
      await context.close()
      return id
    },
    path: (id) => `/admin/user/info?user=${id}`,
    reach: (page) => mainButton(page, 'Confirm the address').click(),
    button: (page) => dialogButton(page, 'Confirm the address'),
    writes: ['POST /api/admin/user/:id/confirm'],
    kept: (page) => expect(page.getByText('Confirmed', { exact: true })).toBeVisible(),
  },
  {
    hook: 'people/useSetRole',
    who: 'admin',
    path: person,
    reach: (page) => mainButton(page, 'Make an admin').click(),
    button: (page) => dialogButton(page, 'Make an admin'),
    writes: ['PATCH /api/admin/user/:id/role'],
    kept: async (page, _, { admin, target }) => {
      await expect(mainButton(page, 'Remove the admin role')).toBeVisible()
      await call(admin, 'patch', `/api/admin/user/${target.id}/role`, { isAdmin: false })
    },
  },
  {
    hook: 'moderation/useDecideCase',
    who: 'admin',
    stage: async ({ target, other, admin }) => {
      const name = fresh('Press me')
      const id = await post(other, name)
      await call(target, 'post', '/api/general/report', { kind: 'Workflow', id, reason: 'Spam', text: '' })
      const cases = await items<{ _id: string; title: string }>(admin, '/api/admin/moderation?sort=newest')
      return cases[0]?._id ?? ''
    },
    path: (id) => `/admin/moderation?case=${id}`,
    reach: (page) => mainButton(page, 'Hide it').click(),
    button: (page) => dialogButton(page, 'Hide it'),
    writes: ['POST /api/admin/moderation/:id/decide'],
    kept: (page) => expect(mainButton(page, 'Restore it')).toBeVisible(),
  },
  {
    hook: 'moderation/useDropComment',
    who: 'admin',
    stage: async ({ target, othersPost }) => {
      const words = fresh('To be dropped')
      for (const which of ['first', 'second']) await comment(target, othersPost, `${words} ${which}`)
      return words
    },
    path: (words) => `/admin/list/comments?keyword=${encodeURIComponent(words)}`,
    reach: async (page) => {
      await page
        .getByRole('article')
        .first()
        .getByRole('button', { name: /^Actions for the comment/ })
        .click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
    },
    button: (page) => dialogButton(page, 'Delete'),
    writes: ['DELETE /api/general/comment/:id'],
    kept: async (page) => {
      await page.reload()
      await expect(page.getByRole('article')).toHaveCount(1)
    },
  },
  {
    hook: 'notifications/useSendNotice',
    who: 'admin',
    stage: async ({ admin }) => {
      await noNotices(admin)
      return fresh('Press once')
    },
    path: '/admin/list/notification-notice',
    reach: async (page, title) => {
      for (const language of ['English', 'Korean']) {
        await page.getByLabel(`Title in ${language}`).fill(title)
        await page.getByRole('textbox', { name: `Text in ${language}` }).click()
        await page.keyboard.insertText('Words')
      }
      await mainButton(page, 'Send to everyone').click()
    },
    button: (page) => dialogButton(page, 'Send to everyone'),
    writes: ['POST /api/admin/notice'],
    kept: async (_page, title, { admin }) =>
      expect((await notices(admin)).filter(({ titleEn }) => titleEn === title)).toHaveLength(1),
  },
  {
    hook: 'notifications/useDeleteNotice',
    who: 'admin',
    stage: async ({ admin }) => {
      await notice(admin, 'Press that stays')
      const title = fresh('Press that goes')
      await notice(admin, title)
      return title
    },
    path: '/admin/list/notification-notice',
    reach: (page, title) => mainButton(page, `Withdraw “${title}”`).click(),
    button: (page) => dialogButton(page, 'Delete'),
    writes: ['DELETE /api/admin/notice/:id'],
    kept: async (_page, title, { admin }) => {
      const left = (await notices(admin)).map(({ titleEn }) => titleEn)
      expect(left).not.toContain(title)
      expect(left).toContain('Press that stays')
      await noNotices(admin)
    },
  },
  {
    hook: 'fleet/useRefreshWorker',
    who: 'admin',
    path: '/admin',
    button: (page) => mainButton(page, 'Check for new models now'),
    writes: ['POST /api/admin/worker/:id/refresh'],
  },
  {
    hook: 'fleet/useCloseRequests',
    who: 'admin',
    stage: async ({ member }) => {
      const wanted = { kind: 'NodeClass', name: fresh('Wanted node') }
      return (await call<{ name: string }>(member, 'post', '/api/general/requirement-request', wanted)).name
    },
    path: '/admin',
    reach: (page, name) => mainButton(page, `Close the requests for ${name}`).click(),
    button: (page) => dialogButton(page, 'Close requests'),
    writes: ['DELETE /api/admin/requirement-request/:id'],
    kept: async (_page, name, { admin }) => {
      const left = await items<{ name: string }>(admin, '/api/admin/requirement-request')
      expect(left.map((one) => one.name)).not.toContain(name)
    },
  },
  {
    hook: 'fleet/useCreateAgentToken',
    who: 'admin',
    stage: async () => fresh('Machines'),
    path: '/admin',
    reach: async (page, name) => {
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByLabel('Pools, separated by commas').fill('cpu')
    },
    button: (page) => mainButton(page, 'Create token'),
    writes: ['POST /api/admin/agent-token'],
    kept: async (_page, name, { admin }) =>
      expect((await agentTokens(admin)).filter((token) => token.name === name)).toHaveLength(1),
  },
  {
    hook: 'fleet/useRevokeAgentToken',
    who: 'admin',
    stage: async ({ admin }) => {
      await noAgentTokens(admin)
      return agentToken(admin, fresh('Machines'))
    },
    path: '/admin',
    reach: (page) =>
      page.getByRole('region', { name: 'Agent tokens' }).getByRole('button', { name: 'Revoke' }).first().click(),
    button: (page) => dialogButton(page, 'Revoke'),
    writes: ['DELETE /api/admin/agent-token/:id'],
    kept: async (_page, id, { admin }) =>
      expect((await agentTokens(admin)).find((token) => token._id === id)?.revokedAt).toBeTruthy(),
  },
  {
    hook: 'fleet/useAllowAgents',
    who: 'admin',
    stage: async ({ admin }) => agentToken(admin, fresh('Machines')),
    // Only a machine with an agent can be removed, so the response is mocked.
    before: (page, id) =>
      page.route('**/api/admin/agent-token', async (route) => {
        const response = await route.fetch()
        const list = await response.json()
        for (const token of list.items) if (token._id === id) token.removedAgents = 1
        await route.fulfill({ response, json: list })
      }),
    path: '/admin',
    button: (page) => mainButton(page, 'Allow removed workers again (1)'),
    writes: ['POST /api/admin/agent-token/:id/allow'],
  },
  {
    hook: 'upkeep/useRunTask',
    who: 'admin',
    stage: async () => new Date().toISOString(),
    path: '/admin/upkeep',
    button: (page) => mainButton(page, 'Run now: Old visits'),
    writes: ['POST /api/admin/upkeep/visit_retention/run'],
    kept: async (_page, since, { admin }) =>
      expect(await items(admin, `/api/admin/audit?action=upkeep.run&from=${since}`)).toHaveLength(1),
  },
  {
    hook: 'curation/useCreateTag',
    who: 'admin',
    stage: async ({ admin }) => {
      await sweep(admin)
      return fresh('Press')
    },
    path: '/admin/workflow-tags',
    reach: async (page, name) => {
      await mainButton(page, 'Add group').click()
      await newTag(page).getByLabel('Name in English').fill(name)
      await newTag(page).getByLabel('Name in Korean').fill(name)
    },
    button: (page) => newTag(page).getByRole('button', { name: 'Save' }),
    writes: ['POST /api/admin/workflow-tag'],
    kept: async (_page, name, { admin }) =>
      expect((await tags(admin)).filter((tag) => tag.name === name)).toHaveLength(1),
  },
  {
    hook: 'curation/useUpdateTag',
    who: 'admin',
    stage: async ({ admin }) => {
      const name = fresh('Press')
      await addTag(admin, name)
      return name
    },
    path: '/admin/workflow-tags',
    reach: async (page, name) => {
      await tagMenu(page, name, 'Edit')
      await page.getByRole('dialog', { name: 'Edit tag' }).getByLabel('Name in English').fill(`${name} more`)
    },
    button: (page) => dialogButton(page, 'Save'),
    writes: ['PATCH /api/admin/workflow-tag/:id'],
    kept: async (_page, name, { admin }) =>
      expect((await tags(admin)).filter((tag) => tag.name === `${name} more`)).toHaveLength(1),
  },
  {
    hook: 'curation/useMergeTags',
    who: 'admin',
    stage: async ({ admin }) => {
      const name = fresh('Press')
      await addTag(admin, `${name} in`)
      await addTag(admin, `${name} out`)
      return name
    },
    path: '/admin/workflow-tags',
    reach: async (page, name) => {
      await tagMenu(page, `${name} out`, 'Merge into another')
      await page.getByRole('dialog').getByLabel('The tag that stays').selectOption(`${name} in`)
    },
    button: (page) => dialogButton(page, 'Merge'),
    writes: ['POST /api/admin/workflow-tag/:id/merge'],
    kept: async (_page, name, { admin }) => {
      const left = (await tags(admin)).map((tag) => tag.name)
      expect(left).toContain(`${name} in`)
      expect(left).not.toContain(`${name} out`)
    },
  },
  {
    hook: 'curation/useDeleteTag',
    who: 'admin',
    stage: async ({ admin }) => {
      const name = fresh('Press')
      await addTag(admin, name)
      await addTag(admin, `${name} next`)
      return name
    },
    path: '/admin/workflow-tags',
    reach: (page, name) => tagMenu(page, name, 'Delete'),
    button: (page) => dialogButton(page, 'Delete'),
    writes: ['DELETE /api/admin/workflow-tag/:id'],
    kept: async (_page, name, { admin }) => {
      const left = (await tags(admin)).map((tag) => tag.name)
      expect(left).not.toContain(name)
      expect(left).toContain(`${name} next`)
      await sweep(admin)
    },
  },
  {
    hook: 'curation/useOrderTags',
    who: 'admin',
    stage: async ({ admin }) =>
      JSON.stringify((await tags(admin)).filter(({ parentTag }) => !parentTag).map(({ _id }) => _id)),
    path: '/admin/workflow-tags',
    reach: (page) => lift(page, ORDERS.tags),
    button: handle(ORDERS.tags),
    press: (page, presses) => drop(page, presses),
    writes: ['PUT /api/admin/workflow-tag/order'],
    kept: async (_page, before, { admin }) => {
      const ids = JSON.parse(before) as string[]
      const [first = '', second = '', ...rest] = ids
      const now = (await tags(admin)).filter(({ parentTag }) => !parentTag).map(({ _id }) => _id)
      expect(now).toEqual([second, first, ...rest])
      await call(admin, 'put', '/api/admin/workflow-tag/order', { parentTag: null, ids })
    },
  },
  {
    hook: 'curation/useChooseBasic',
    who: 'admin',
    stage: async ({ other }) => {
      const name = fresh('Press basic')
      await post(other, name)
      return name
    },
    path: '/admin/basic-workflows-manager',
    button: (page, name) => mainButton(page, `Add ${name}`),
    writes: ['PATCH /api/general/workflow/:id'],
    kept: async (_page, name, { admin }) => {
      const chosen = (await basics(admin)).filter((one) => one.name === name)
      expect(chosen).toHaveLength(1)
    },
  },
  {
    hook: 'curation/useChooseBasic',
    who: 'admin',
    stage: async ({ admin }) => {
      const all = await basics(admin)
      return all.find(({ name }) => name.startsWith('Press basic'))?.name ?? ''
    },
    path: '/admin/basic-workflows-manager',
    reach: (page, name) => mainButton(page, `Remove ${name}`).click(),
    button: (page) => dialogButton(page, 'Remove'),
    writes: ['PATCH /api/general/workflow/:id'],
    kept: async (_page, name, { admin }) =>
      expect((await basics(admin)).filter((one) => one.name === name)).toHaveLength(0),
  },
  {
    hook: 'curation/useOrderBasics',
    who: 'admin',
    stage: async ({ admin }) => JSON.stringify((await basics(admin)).map(({ _id }) => _id)),
    path: '/admin/basic-workflows-manager',
    reach: (page) => lift(page, ORDERS.basics),
    button: handle(ORDERS.basics),
    press: (page, presses) => drop(page, presses),
    writes: ['PUT /api/admin/basic-workflow/order'],
    kept: async (_page, before, { admin }) => {
      const ids = JSON.parse(before) as string[]
      const [first = '', second = '', ...rest] = ids
      expect((await basics(admin)).map(({ _id }) => _id)).toEqual([second, first, ...rest])
      await call(admin, 'put', '/api/admin/basic-workflow/order', { ids })
    },
  },
  {
    hook: 'billing/useCreateCoupon',
    who: 'admin',
    stage: async () => fresh('Press coupon'),
    path: COUPONS,
    reach: async (page, name) => {
      await mainButton(page, 'New coupon').click()
      const form = page.getByRole('dialog', { name: 'New coupon' })
      await form.getByLabel('Name').fill(name)
      await form.getByLabel('Credits', { exact: true }).fill('100')
      // Unique codes: a second request would not be refused because its code is taken.
      await form.getByRole('radio', { name: 'Many unique codes' }).click()
      await form.getByLabel('Number of codes').fill('2')
    },
    button: (page) => dialogButton(page, 'Create coupon'),
    writes: ['POST /api/admin/coupon'],
    kept: async (_page, name, { admin }) => expect(await couponsNamed(admin, name)).toHaveLength(1),
  },
  {
    hook: 'billing/useChangeCoupon',
    who: 'admin',
    stage: aCoupon,
    path: couponAt,
    button: (page, name) => page.getByRole('switch', { name: `${name} is active` }),
    writes: ['PATCH /api/admin/coupon/:id'],
    kept: async (_page, name, { admin }) =>
      expect(await couponsNamed(admin, name)).toMatchObject([{ isActive: false }]),
  },
  {
    hook: 'billing/useChangeCoupon',
    who: 'admin',
    stage: aCoupon,
    path: couponAt,
    reach: async (page, name) => {
      await mainButton(page, `Edit ${name}`).click()
      await page.getByRole('dialog').getByLabel('Name').fill(`${name} edited`)
    },
    button: (page) => dialogButton(page, 'Save'),
    writes: ['PATCH /api/admin/coupon/:id'],
    kept: async (_page, name, { admin }) => expect(await couponsNamed(admin, `${name} edited`)).toHaveLength(1),
  },
  {
    hook: 'videos/useAddVideo',
    who: 'admin',
    stage: async ({ admin }) => {
      await noVideos(admin)
      return ''
    },
    path: VIDEOS,
    reach: (page) => page.getByLabel('YouTube address').fill(`https://youtu.be/${VIDEO.id}`),
    button: (page) => mainButton(page, 'Add video'),
    writes: ['POST /api/admin/youtube-community'],
    kept: async (_page, _, { admin }) =>
      expect((await videos(admin)).filter(({ name }) => name === VIDEO.title)).toHaveLength(1),
  },
  {
    hook: 'videos/useRefreshVideo',
    who: 'admin',
    stage: aVideo,
    path: VIDEOS,
    button: (page, name) => mainButton(page, `Refresh ${name} from YouTube`),
    writes: ['POST /api/admin/youtube-community/:id/refresh'],
  },
  {
    hook: 'videos/useChangeVideo',
    who: 'admin',
    stage: aVideo,
    path: VIDEOS,
    reach: async (page, name) => {
      await mainButton(page, `Edit ${name}`).click()
      await page.getByRole('dialog').getByLabel('Title').fill('Press a title')
    },
    button: (page) => dialogButton(page, 'Save'),
    writes: ['PATCH /api/admin/youtube-community/:id'],
    kept: async (_page, _, { admin }) =>
      expect((await videos(admin)).filter(({ name }) => name === 'Press a title')).toHaveLength(1),
  },
  {
    hook: 'videos/useRemoveVideo',
    who: 'admin',
    stage: aVideo,
    path: VIDEOS,
    reach: (page, name) => mainButton(page, `Remove ${name}`).click(),
    button: (page) => dialogButton(page, 'Remove'),
    writes: ['DELETE /api/admin/youtube-community/:id'],
    kept: async (_page, _, { admin }) =>
      expect((await videos(admin)).filter(({ name }) => name === VIDEO.title)).toHaveLength(0),
  },
]

/** Drops the lifted item several times: the second press lifts it again at its new place. */
async function drop(page: Page, presses: number): Promise<void> {
  for (let press = 0; press < presses; press += 1) await page.keyboard.press('Space', { delay: 30 })
}
