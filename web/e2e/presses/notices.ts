import { expect } from '@playwright/test'
import { call, fresh, items, type Person } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

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

/** Notices of admins to all users. */
export const NOTICES: Press[] = [
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
]
