import { expect, type Page } from '@playwright/test'
import { PIXEL } from '../people'
import { expectToast, mockRefusal, mockSuccess, type Row } from './row'

const LIKE = '**/api/general/workflow-like/*'
const PRIVATES = '**/api/general/output-asset/privates'
const BULK = '**/api/general/output-asset?*'

const selectTwo = async (page: Page, list: string) => {
  const tiles = page.getByRole('list', { name: list }).getByRole('listitem')
  await tiles.nth(0).getByRole('checkbox').click()
  await tiles
    .nth(1)
    .getByRole('link')
    .click({ modifiers: ['Control'] })
}
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click()
const confirm = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

/** Messages of the pages, word for word where the specification quotes them. */
export const MESSAGES: Row[] = [
  {
    proves: "1 §8 a like that fails: '요청에 실패했습니다. 잠시 후 다시 시도해주세요.'",
    who: 'admin',
    language: 'ko',
    path: ({ post }) => `/workflows/${post}`,
    before: (page) => mockRefusal(page, 'PUT|DELETE', LIKE),
    see: async (page) => {
      await press(page, /^좋아요/)
      await expectToast(page, '요청에 실패했습니다. 잠시 후 다시 시도해주세요.')
    },
  },
  {
    proves: "1 §8 gallery like: '서버 오류가 발생했습니다. 잠시 후 다시 시도해주세요'",
    who: 'admin',
    language: 'ko',
    path: ({ picture }) => `/gallery/${picture}`,
    before: (page) => mockRefusal(page, 'PUT|DELETE', '**/api/general/output-asset-like/*'),
    see: async (page) => {
      await press(page, '좋아요')
      await expectToast(page, '서버 오류가 발생했습니다. 잠시 후 다시 시도해주세요')
    },
  },
  ...(
    [
      [true, '설정이 변경되었습니다.'],
      [false, '설정 변경에 실패했습니다.'],
    ] as const
  ).flatMap(([works, text]): Row[] => [
    {
      proves: `1 §8 NSFW toggle of a picture: '${text}'`,
      who: 'admin',
      language: 'ko',
      path: ({ picture }) => `/admin/gallery/${picture}`,
      before: (page) => (works ? mockSuccess : mockRefusal)(page, 'PATCH', '**/api/general/output-asset/*/nsfw'),
      see: async (page) => {
        await press(page, 'NSFW로 표시')
        await expectToast(page, text)
      },
    },
    {
      proves: `1 §8 NSFW toggle of a workflow: '${text}'`,
      who: 'admin',
      language: 'ko',
      path: '/admin/workflow-files',
      before: (page) => (works ? mockSuccess : mockRefusal)(page, 'PATCH', '**/api/general/workflow/*'),
      see: async (page) => {
        await page.locator('article').first().getByRole('button', { name: 'SFW', exact: true }).click()
        await expectToast(page, text)
      },
    },
  ]),
  ...(
    [
      [true, '비공개되었습니다.'],
      [false, '요청에 실패했습니다. 잠시 후 다시 시도해주세요.'],
    ] as const
  ).map(
    ([works, text]): Row => ({
      proves: `1 §4 unpublishing asks first, 1 §8 '${text}'`,
      // Only admins may: no demo account has a plan with Stealth Mode.
      who: 'admin',
      language: 'ko',
      path: ({ post }) => `/workflows/${post}`,
      before: (page) => (works ? mockSuccess : mockRefusal)(page, 'PATCH', '**/api/general/workflow/privates'),
      see: async (page) => {
        await press(page, '비공개로 전환')
        await confirm(page, '비공개로 전환')
        await expectToast(page, text)
      },
    }),
  ),
  {
    proves: "1 §8 '공개되었습니다.'",
    who: 'admin',
    language: 'ko',
    path: '/admin/workflow-files',
    before: async (page) => {
      await page.route('**/api/general/workflow/admin?*', async (route) => {
        const answer = await route.fetch()
        const list = (await answer.json()) as { items: object[] }
        await route.fulfill({ json: { ...list, items: list.items.map((one) => ({ ...one, isPrivate: true })) } })
      })
      await mockSuccess(page, 'PATCH', '**/api/general/workflow/privates')
    },
    see: async (page) => {
      await page.locator('article').first().getByRole('button', { name: '비공개', exact: true }).click()
      await expectToast(page, '공개되었습니다.')
    },
  },
  {
    proves: "1 §8 deleting a workflow asks first: '삭제되었습니다.'",
    who: 'person',
    language: 'ko',
    path: ({ own }) => `/workflows/${own}`,
    before: (page) => mockSuccess(page, 'DELETE', '**/api/general/workflow/*'),
    see: async (page) => {
      await press(page, '삭제')
      await confirm(page, '삭제')
      await expectToast(page, '삭제되었습니다.')
    },
  },
  ...(
    [
      ['PATCH', PRIVATES, true, '공개하기', '2장 공개로 전환되었습니다.'],
      ['PATCH', PRIVATES, false, '공개하기', '비공개/공개 설정에 실패했습니다.'],
      ['DELETE', BULK, true, '삭제', '2장 삭제되었습니다.'],
      ['DELETE', BULK, false, '삭제', '이미지 삭제에 실패했습니다.'],
    ] as const
  ).map(
    ([method, address, works, button, text]): Row => ({
      proves: `1 §8 gallery: '${text}'`,
      who: 'person',
      language: 'ko',
      path: '/pictures',
      before: async (page) => {
        await page.route('**/api/general/output-asset/my?*', async (route) => {
          const list = (await (await route.fetch()).json()) as { items: object[] }
          await route.fulfill({ json: { ...list, items: list.items.map((one) => ({ ...one, isPrivate: true })) } })
        })
        if (works) await mockSuccess(page, method, address, { items: [], deletedCount: 2 })
        else await mockRefusal(page, method, address)
      },
      see: async (page) => {
        await selectTwo(page, '내 이미지')
        await page.getByRole('region', { name: '선택한 이미지' }).getByRole('button', { name: button }).click()
        await confirm(page, button)
        await expectToast(page, text)
      },
    }),
  ),
  {
    proves: "1 §8 gallery: '이미지 다운로드에 실패했습니다.'",
    language: 'ko',
    path: ({ picture }) => `/gallery/${picture}`,
    see: async (page) => {
      await page.route('**/media/raw/*', (route) => route.fulfill({ status: 500 }))
      await press(page, '다운로드')
      await expectToast(page, '이미지 다운로드에 실패했습니다.')
    },
  },
  {
    proves: "1 §5 My Images of a guest: '로그인 후 이용해주세요.'",
    language: 'ko',
    path: ({ app }) => `/easy-app/${app}`,
    see: async (page) => {
      await page.getByRole('main').getByRole('button', { name: '내 이미지' }).click()
      const asked = page
        .getByText('로그인 후 이용해주세요.')
        .or(page.getByRole('dialog', { name: '다시 오신 것을 환영합니다' }))
      await expect(asked.first()).toBeVisible()
    },
  },
  ...(
    [
      [true, 'Workflow copied successfully'],
      [false, 'Failed to copy workflow'],
    ] as const
  ).map(
    ([works, text]): Row => ({
      proves: `1 §8 '${text}', 1 §5 the copy is called 'Copy of {name}'`,
      who: 'admin',
      path: ({ post }) => `/workflows/${post}`,
      before: async (page) => {
        if (!works) return mockRefusal(page, 'POST', '**/api/general/workflow/copy')
        await page.route('**/api/general/workflow/copy', async (route) => {
          const { workflow } = route.request().postDataJSON() as { workflow: string }
          await route.fulfill({ response: await page.request.get(`/api/general/workflow/${workflow}`), status: 201 })
        })
      },
      see: async (page) => {
        const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
        await press(page, 'Make a copy')
        const dialog = page.getByRole('dialog', { name: 'Copy workflow' })
        await expect(dialog.getByLabel('Project name')).toHaveValue(`Copy of ${name}`)
        await dialog.getByRole('button', { name: 'Copy' }).click()
        await expectToast(page, text)
      },
    }),
  ),
  {
    proves: "1 §8 'Failed to change language'",
    who: 'person',
    path: '/',
    before: (page) => mockRefusal(page, 'PATCH', '**/api/auth/me/language'),
    see: async (page) => {
      await press(page, 'Language')
      await page
        .getByRole('menuitemradio', { name: '한국어' })
        .or(page.getByRole('menuitem', { name: '한국어' }))
        .click()
      await expectToast(page, 'Failed to change language')
    },
  },
  ...(
    [
      ['AUTH_ALREADY_EMAIL', 'This e-mail is already in use', '이미'],
      ['AUTH_LINKED_GOOGLE', 'This e-mail belongs to a Google account; sign in with Google', 'Google'],
      ['AUTH_LINKED_DISCORD', 'This e-mail belongs to a Discord account; sign in with Discord', 'Discord'],
    ] as const
  ).map(
    ([code, text]): Row => ({
      proves: `1 §8 ${code}`,
      path: '/signup',
      before: (page) => mockRefusal(page, 'POST', '**/api/auth/signup/email-password', 409, code),
      see: async (page) => {
        await page.getByLabel('E-mail').fill('mira@example.com')
        await page.getByLabel('Name').fill('Mira')
        await page.getByLabel('Password', { exact: true }).fill('a long enough password')
        await page.getByLabel('I agree to the terms of use').check()
        await page.getByLabel('I agree to the privacy policy').check()
        await press(page, 'Create account')
        await expect(page.getByRole('alert').filter({ hasText: text }).first()).toBeVisible()
        await expectToast(page, text)
      },
    }),
  ),
  {
    proves: "1 §5 'please enter a name', 2 to 20 characters",
    path: '/signup',
    see: async (page) => {
      await page.getByLabel('E-mail').fill('mira@example.com')
      await press(page, 'Create account')
      await expect(page.getByText(/^please enter a name$/i)).toBeVisible()
      await page.getByLabel('Name').fill('M')
      await press(page, 'Create account')
      await expect(page.getByText('The name needs 2 to 20 characters')).toBeVisible()
    },
  },
  {
    proves: "1 §5 'File size must not exceed 20MB. Please select a smaller file.'",
    who: 'person',
    path: ({ own }) => `/workflows/edit/${own}`,
    see: async (page) => {
      const buffer = Buffer.concat([PIXEL, Buffer.alloc(20_971_520)])
      const input = page.locator('input[data-testid=pictures]')
      await input.setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer })
      await expect(page.getByText('File size must not exceed 20MB. Please select a smaller file.')).toBeVisible()
    },
  },
  {
    proves: "1 §8 Job creation: 'Job Create Error: {message}'",
    who: 'person',
    path: ({ plain }) => `/easy-app/${plain}`,
    before: (page) => mockRefusal(page, 'POST', '**/api/general/job/workflow-api/*', 400),
    see: async (page) => {
      await press(page, 'Run')
      await expectToast(page, 'Job Create Error: made up')
    },
  },
  {
    proves: "1 §5 an easy app asks for its picture: 'please upload an image'",
    who: 'person',
    path: ({ app }) => `/easy-app/${app}`,
    see: async (page) => {
      await press(page, 'Run')
      await expect(page.getByText(/^please upload an image$/i)).toBeVisible()
    },
  },
]
