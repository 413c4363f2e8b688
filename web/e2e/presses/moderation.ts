import { expect } from '@playwright/test'
import { call, comment, fresh, items, post } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

/** Decisions of moderators. */
export const MODERATION: Press[] = [
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
]
