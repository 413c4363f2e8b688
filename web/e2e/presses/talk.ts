import { expect, type Page } from '@playwright/test'
import { call, comment, type Fixtures, type Person } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

const post = (_: string, { othersPost }: Fixtures) => `/workflows/${othersPost}`
const menu = async (page: Page, words: string, entry: string) => {
  await page
    .getByRole('article')
    .filter({ hasText: words })
    .getByRole('button', { name: /^More about the comment/ })
    .click()
  await page.getByRole('menuitem', { name: entry }).click()
}
const type = async (page: Page, opener: string, field: string, words: string) => {
  await page.getByRole('button', { name: opener }).first().click()
  await expect(page.getByRole('textbox', { name: field })).toBeFocused()
  await page.keyboard.insertText(words)
}
type Said = { _id: string; content: string }
const below = async ({ othersPost, member }: Fixtures, words: string) => {
  const path = `/api/general/comment/workflow/${othersPost}?page=1&limit=20`
  const { items } = await call<{ items: Said[] }>(member, 'get', path)
  return items.filter(({ content }) => content.includes(words))
}
const blocked = async (person: Person) =>
  (await call<{ items: { user: { _id: string } }[] }>(person, 'get', '/api/general/user-block')).items
const fresh = (words: string) => `${words} ${Date.now()}`
const warn = ({ admin, member }: Fixtures, text: string) =>
  call(admin, 'post', `/api/admin/user/${member.id}/warning`, { text })
const unread = async (person: Person) =>
  (await call<{ count: number }>(person, 'get', '/api/general/notification-box/count-all')).count

/** Comments, blocks, reports and notifications. */
export const TALK: Press[] = [
  {
    hook: 'comments/useWriteComment',
    who: 'member',
    stage: async () => fresh('Once and once only'),
    path: post,
    reach: (page, words) => type(page, 'Say something about it…', 'Write a comment', words),
    button: (page) => mainButton(page, 'Post'),
    writes: ['POST /api/general/comment'],
    kept: async (page, words, fixtures) => {
      await page.reload()
      await expect(page.getByRole('article').filter({ hasText: words })).toHaveCount(1)
      expect(await below(fixtures, words)).toHaveLength(1)
    },
  },
  {
    hook: 'comments/useWriteComment',
    who: 'member',
    stage: async () => fresh('By keys alone'),
    path: post,
    reach: (page, words) => type(page, 'Say something about it…', 'Write a comment', words),
    button: (page) => page.getByRole('textbox', { name: 'Write a comment' }),
    key: 'Control+Enter',
    writes: ['POST /api/general/comment'],
    kept: async (_page, words, fixtures) => expect(await below(fixtures, words)).toHaveLength(1),
  },
  {
    hook: 'comments/useEditComment',
    who: 'member',
    stage: async ({ member, othersPost }) => {
      const words = fresh('Before')
      await comment(member, othersPost, words)
      return words
    },
    path: post,
    reach: async (page, words) => {
      await menu(page, words, 'Edit')
      await expect(page.getByRole('textbox', { name: 'Edit the comment' })).toBeFocused()
      await page.keyboard.press('End')
      await page.keyboard.insertText(' and after')
    },
    button: (page) => mainButton(page, 'Save'),
    writes: ['PATCH /api/general/comment/:id'],
    kept: async (page, words) => {
      await page.reload()
      await expect(page.getByText(`${words} and after`)).toHaveCount(1)
    },
  },
  {
    hook: 'comments/useDeleteComment',
    who: 'member',
    stage: async ({ member, othersPost }) => {
      await comment(member, othersPost, fresh('It stays'))
      const words = fresh('It goes')
      await comment(member, othersPost, words)
      return words
    },
    path: post,
    reach: (page, words) => menu(page, words, 'Delete'),
    button: (page) => dialogButton(page, 'Delete'),
    writes: ['DELETE /api/general/comment/:id'],
    kept: async (_page, words, fixtures) => {
      expect(await below(fixtures, words)).toHaveLength(0)
      expect(await below(fixtures, 'It stays')).toHaveLength(1)
    },
  },
  {
    hook: 'comments/useSetReaction',
    who: 'member',
    stage: ({ other, othersPost }) => comment(other, othersPost, fresh('Like me')),
    path: post,
    button: (page) => mainButton(page, 'Like, 0'),
    writes: ['POST /api/general/comment-like/like/:id'],
    kept: async (page) => {
      await page.reload()
      await expect(page.getByRole('button', { name: 'Like, 1', exact: true }).first()).toHaveAttribute(
        'aria-pressed',
        'true',
      )
    },
  },
  {
    hook: 'moderation/useReport',
    who: 'member',
    path: post,
    reach: async (page) => {
      await mainButton(page, 'Report').click()
      await page
        .getByRole('dialog', { name: 'Report' })
        .getByRole('radio', { name: /Copyright/ })
        .check()
    },
    button: (page) => dialogButton(page, 'Send report'),
    writes: ['POST /api/general/report'],
    kept: (page) => expect(page.getByText('Thank you for your report')).toHaveCount(1),
  },
  {
    hook: 'blocks/useBlock',
    who: 'member',
    stage: async ({ other, othersPost }) => {
      const words = fresh('Block me')
      await comment(other, othersPost, words)
      return words
    },
    path: post,
    reach: (page, words) => menu(page, words, 'Block author'),
    button: (page) => dialogButton(page, 'Block'),
    writes: ['POST /api/general/user-block'],
    kept: async (_page, _, { member }) => expect(await blocked(member)).toHaveLength(1),
  },
  {
    hook: 'blocks/useUnblock',
    who: 'member',
    // The next entry moves up to the place of the first: an extra click must not unblock that user too.
    stage: async ({ member, admin, other }) => {
      const held = await blocked(member)
      for (const { id } of [other, admin]) {
        if (!held.some(({ user }) => user._id === id)) {
          await call(member, 'post', '/api/general/user-block', { user: id })
        }
      }
      return ''
    },
    path: '/account#notifications',
    button: (page) => page.getByRole('button', { name: /^Unblock / }).first(),
    writes: ['DELETE /api/general/user-block/:id'],
    kept: async (_page, _, { member }) => {
      const left = await blocked(member)
      expect(left).toHaveLength(1)
      for (const { user } of left) await call(member, 'delete', `/api/general/user-block/${user._id}`)
    },
  },
  {
    hook: 'notifications/useMarkSeen',
    who: 'member',
    stage: async (fixtures) => {
      await call(fixtures.member, 'patch', '/api/general/notification-box/check-all/ALL')
      await warn(fixtures, 'One')
      await warn(fixtures, 'Two')
      await expect.poll(() => unread(fixtures.member)).toBe(2)
      return ''
    },
    path: '/notification/history',
    button: (page) => mainButton(page, 'Mark as read'),
    writes: ['PATCH /api/general/notification-box/check'],
    kept: async (_page, _, { member }) => expect(await unread(member)).toBe(1),
  },
  {
    hook: 'notifications/useMarkSeen',
    who: 'member',
    path: '/notification/history',
    button: (page) => mainButton(page, 'Mark all as read'),
    writes: ['PATCH /api/general/notification-box/check-all/ALL'],
    kept: async (_page, _, { member }) => expect(await unread(member)).toBe(0),
  },
]
