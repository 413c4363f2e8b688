import { expect, type Locator, type Page, test } from '@playwright/test'
import { fits, LONG_FILE, LONG_WORD, WINDOWS } from './fits'
import {
  call,
  closeFixtures,
  comment,
  createFixtures,
  draft,
  type Fixtures,
  noiseBitmap,
  post,
} from './presses/fixtures'
import { shareOf } from './presses/share'

/** Fields for text or files, and the pages that show their values. */
type Field = {
  what: string
  who: 'guest' | 'member' | 'admin'
  stage?: (fixtures: Fixtures) => Promise<string>
  path: (fixtures: Fixtures, made: string) => string
  reach?: (page: Page) => Promise<unknown>
  /** Gets a word of 300 letters, or as much as it accepts. */
  field?: (page: Page) => Locator
  /** Gets a file with a name of 120 characters. */
  file?: (page: Page) => Locator
  /** Steps that save the typed text. */
  save?: (page: Page) => Promise<unknown>
  /** Addresses that show it to others, and to whom. */
  shown?: (fixtures: Fixtures, made: string) => readonly (readonly ['guest' | 'member' | 'other' | 'admin', string])[]
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click()
const box = (name: string | RegExp) => (page: Page) => page.getByRole('textbox', { name }).first()
const dialog = (page: Page) => page.getByRole('dialog').last()
const longName = (length: number) => LONG_WORD.slice(0, length)
const tag = '01970000-0000-7000-8000-000000000101'

const FIELDS: Field[] = [
  {
    what: 'the search of the site',
    who: 'guest',
    path: () => '/mobile-search?searchInputType=all',
    field: (page) =>
      page.getByRole('main').getByRole('combobox').or(page.getByRole('main').getByRole('searchbox')).first(),
    shown: () => [['guest', `/search?q=${LONG_WORD.slice(0, 100)}`]],
  },
  {
    what: 'the description on the home page',
    who: 'guest',
    path: () => '/',
    field: box('What do you want to make?'),
    shown: () => [['guest', `/?wish=${LONG_WORD}`]],
  },
  {
    what: 'the address of an app for a simple app',
    who: 'admin',
    path: () => '/admin/list/verdigraph-generator?part=apps',
    field: box('Mini app for Face swap'),
  },
  { what: 'the address to sign in', who: 'guest', path: () => '/login', field: (page) => page.getByLabel('E-mail') },
  {
    what: 'the name to sign up',
    who: 'guest',
    path: () => '/signup',
    field: (page) => page.getByLabel('Name'),
    save: (page) => press(page, 'Create account'),
  },
  {
    what: 'the address of a forgotten password',
    who: 'guest',
    path: () => '/forgot-password',
    field: (page) => page.getByLabel('E-mail'),
    save: (page) => press(page, 'Send the link'),
  },
  {
    what: 'the search of community videos',
    who: 'guest',
    path: () => '/youtube-community',
    field: (page) => page.getByRole('searchbox').last(),
    save: (page) => page.keyboard.press('Enter'),
  },
  {
    what: 'a name',
    who: 'member',
    stage: async ({ member }) => {
      await call(member, 'patch', '/api/auth/me/name', { name: 'W'.repeat(20) })
      return ''
    },
    path: () => '/account',
    field: (page) => page.getByLabel('Name', { exact: true }),
    save: (page) => page.locator('form').getByRole('button', { name: 'Save' }).first().click(),
    shown: ({ member, ownPost }) => [
      ['guest', `/profile/${member.id}`],
      ['guest', `/workflows/${ownPost}`],
      ['admin', `/admin/user/info?user=${member.id}`],
    ],
  },
  {
    what: 'contact points',
    who: 'member',
    stage: async ({ member }) => {
      const homepage = { value: `https://${longName(60)}.example/${longName(120)}`, order: 0 }
      const instagram = { value: longName(30), order: 1 }
      await call(member, 'post', '/api/general/contact-point', { homepage, instagram })
      return ''
    },
    path: ({ member }) => `/profile/${member.id}`,
    reach: (page) => press(page, 'Contact points'),
    field: box('Homepage'),
    save: (page) => press(page, 'Save'),
    shown: ({ member }) => [['guest', `/profile/${member.id}`]],
  },
  {
    what: 'an API key',
    who: 'member',
    path: () => '/account?tab=keys',
    field: (page) => page.getByLabel('Name of the key'),
    save: async (page) => {
      await press(page, 'Create key')
      await press(page, 'I have copied it')
    },
  },
  { what: 'a password', who: 'member', path: () => '/account', field: (page) => page.getByLabel('New password') },
  {
    what: 'the title and the text of a workflow',
    who: 'member',
    stage: async ({ member }) => {
      const id = await draft(member, longName(100))
      const { _id } = await call<{ _id: string }>(member, 'get', `/api/general/workflow/${id}`)
      return _id
    },
    path: (_, made) => `/workflows/edit/${made}`,
    reach: (page) => page.getByLabel('Name', { exact: true }).fill(longName(100)),
    field: box('Description'),
    save: (page) => press(page, 'Save'),
  },
  {
    what: 'a published workflow with long words',
    who: 'admin',
    stage: async ({ member }) => {
      const id = await post(member, longName(100))
      const description = `<h2>${LONG_WORD}</h2><p>${LONG_WORD}</p>`
      await call(member, 'patch', `/api/general/workflow/${id}`, { description, workflowTags: [tag] })
      return id
    },
    path: () => '/admin/workflow-files',
    shown: ({ member }, id) => [
      ['guest', `/workflows/${id}`],
      ['guest', '/workflows'],
      ['guest', `/profile/${member.id}`],
      ['other', `/workflows/${id}`],
      ['admin', `/admin/workflows/${id}`],
      ['admin', '/admin/basic-workflows-manager'],
    ],
  },
  {
    what: 'the name of a copy',
    who: 'member',
    path: ({ othersPost }) => `/workflows/${othersPost}`,
    reach: (page) => press(page, 'Make a copy'),
    field: (page) => dialog(page).getByLabel('Project name'),
    save: (page) => dialog(page).getByRole('button', { name: 'Copy' }).click(),
    shown: ({ member }) => [['member', `/profile/${member.id}/workflow-files`]],
  },
  {
    what: 'a comment',
    who: 'member',
    path: ({ othersPost }) => `/workflows/${othersPost}`,
    reach: (page) => press(page, 'Say something about it…'),
    field: box('Write a comment'),
    save: (page) => press(page, 'Post'),
    shown: ({ othersPost }) => [
      ['guest', `/workflows/${othersPost}`],
      ['other', '/notification/history'],
      ['admin', '/admin/list/comments'],
    ],
  },
  {
    what: 'a report',
    who: 'member',
    path: ({ othersPost }) => `/workflows/${othersPost}`,
    reach: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Report', exact: true }).click()
      await dialog(page)
        .getByRole('radio', { name: /Copyright/ })
        .check()
    },
    field: (page) => dialog(page).getByRole('textbox'),
    save: (page) => dialog(page).getByRole('button', { name: 'Send report' }).click(),
    shown: () => [['admin', '/admin/moderation']],
  },
  {
    what: 'a warning',
    who: 'admin',
    path: ({ target }) => `/admin/user/info?user=${target.id}`,
    reach: (page) => press(page, 'Warn'),
    field: (page) => dialog(page).getByRole('textbox'),
    save: (page) => dialog(page).getByRole('button', { name: 'Warn' }).click(),
    shown: ({ target }) => [
      ['admin', `/admin/audit?target=${target.id}`],
      ['admin', `/admin/user/info?user=${target.id}`],
    ],
  },
  {
    what: 'the reason of a ban',
    who: 'admin',
    path: ({ target }) => `/admin/user/info?user=${target.id}`,
    reach: (page) => press(page, 'Ban'),
    field: (page) => dialog(page).getByLabel('Reason', { exact: true }),
  },
  {
    what: 'a notice',
    who: 'admin',
    path: () => '/admin/list/notification-notice',
    reach: (page) => page.getByLabel('Title in English').fill(longName(100)),
    field: box('Text in English'),
  },
  {
    what: 'a tag',
    who: 'admin',
    path: () => '/admin/workflow-tags',
    reach: (page) => press(page, 'Add group'),
    field: (page) => dialog(page).getByLabel('Name in English'),
  },
  {
    what: 'the search for people',
    who: 'admin',
    path: () => '/admin/user/info',
    field: (page) => page.getByRole('searchbox').last(),
    save: (page) => page.keyboard.press('Enter'),
  },
  {
    what: 'the search for addresses',
    who: 'admin',
    path: () => '/admin/ip-list',
    field: (page) => page.getByRole('searchbox').last(),
    save: (page) => page.keyboard.press('Enter'),
  },
  {
    what: 'the name of a coupon',
    who: 'admin',
    path: () => '/admin/list/v2-coupons',
    reach: (page) => press(page, 'New coupon'),
    field: (page) => dialog(page).getByLabel('Name', { exact: true }),
  },
  {
    what: 'the search for coupons',
    who: 'admin',
    path: () => '/admin/list/v2-coupons',
    field: (page) => page.getByRole('searchbox').last(),
    save: (page) => page.keyboard.press('Enter'),
  },
  {
    what: 'the name of a promotion',
    who: 'admin',
    path: () => '/admin/list/promotions',
    reach: (page) => press(page, 'New promotion'),
    field: (page) => dialog(page).getByLabel('Name', { exact: true }),
  },
  {
    what: 'the name of a shop item',
    who: 'admin',
    path: () => '/admin/list/items',
    reach: (page) => press(page, 'New item'),
    field: (page) => dialog(page).getByLabel('Name', { exact: true }),
  },
  {
    what: 'the search for subscriptions',
    who: 'admin',
    path: () => '/admin/subscription-calendar',
    field: (page) => page.getByRole('searchbox').last(),
    save: (page) => page.keyboard.press('Enter'),
  },
  {
    what: 'the search for orders',
    who: 'admin',
    path: () => '/admin/list/order-history',
    field: (page) => page.getByRole('searchbox').last(),
    save: (page) => page.keyboard.press('Enter'),
  },
  {
    what: 'the address of a video',
    who: 'admin',
    path: () => '/admin/youtube-community',
    field: (page) => page.getByLabel('YouTube address'),
  },
  {
    what: 'a picture of a mini app and among the own files',
    who: 'member',
    path: ({ pictureApp }) => `/easy-app/${pictureApp}`,
    file: (page) => page.locator('input[type=file]').first(),
    save: async (page) => {
      await expect(page.getByAltText(`Chosen picture ${LONG_FILE}`)).toBeVisible()
      await page.getByRole('main').getByRole('button', { name: 'My Images' }).first().click()
      await expect(page.getByRole('button', { name: `Delete ${LONG_FILE}` }).first()).toBeVisible()
      await page
        .getByRole('button', { name: `Delete ${LONG_FILE}` })
        .first()
        .click()
      await expect(dialog(page).getByRole('button', { name: 'Delete', exact: true })).toBeVisible()
    },
  },
  {
    what: 'a picture of a workflow',
    who: 'member',
    stage: ({ member }) => draft(member, 'With a picture'),
    path: (_, made) => `/workflows/edit/${made}`,
    file: (page) => page.locator('input[data-testid=pictures]'),
    save: (page) => expect(page.getByRole('button', { name: 'Remove picture 1' })).toBeVisible(),
  },
  {
    what: 'a portrait',
    who: 'member',
    path: () => '/account',
    file: (page) => page.getByLabel('Profile picture'),
    save: (page) => expect(page.getByRole('button', { name: 'Use this picture' })).toBeEnabled(),
  },
  {
    what: 'a file that is no workflow',
    who: 'member',
    path: () => '/workflows',
    reach: (page) => press(page, 'Upload workflow'),
    file: (page) => dialog(page).locator('input[type=file]'),
    save: (page) => expect(page.getByText('This file is not a workflow.')).toBeVisible(),
  },
]

const settled = async (page: Page) => {
  await page.locator('h1, [role=dialog]').first().waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
}

async function write(page: Page, one: Field, fixtures: Fixtures): Promise<string> {
  const made = (await one.stage?.(fixtures)) ?? ''
  await page.goto(one.path(fixtures, made))
  await settled(page)
  await one.reach?.(page)
  const field = one.field?.(page)
  if (field) {
    await field.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(LONG_WORD)
  }
  await one.file?.(page).setInputFiles({ name: LONG_FILE, mimeType: 'image/bmp', buffer: noiseBitmap() })
  await fits(page, `${one.what}, while it is written`)
  await one.save?.(page)
  if (one.save) await fits(page, `${one.what}, afterwards`)
  return made
}

test.describe.configure({ mode: 'parallel' })

for (const [window, viewport] of WINDOWS.entries()) {
  test(`words of 300 letters and long file names fit a window of ${viewport.width} px`, async ({ browser }) => {
    test.setTimeout(600_000)
    const fixtures = await createFixtures(browser)
    const contextOf = (who: 'guest' | 'member' | 'other' | 'admin') =>
      who === 'guest' ? fixtures.guest : fixtures[who].context
    const open = async (who: 'guest' | 'member' | 'other' | 'admin') => {
      const page = await contextOf(who).newPage()
      page.setDefaultTimeout(20_000)
      await page.setViewportSize(viewport)
      return page
    }
    await comment(fixtures.member, fixtures.othersPost, LONG_WORD)
    // One page for each reader: nothing is typed or mocked in it.
    const readers = new Map<string, Page>()
    const wrong: string[] = []
    const note = (what: string) => (error: unknown) =>
      wrong.push(`${what}: ${error instanceof Error ? error.message.slice(0, 700) : error}`)
    for (const one of shareOf(FIELDS, window, WINDOWS.length)) {
      const page = await open(one.who)
      const made = await write(page, one, fixtures).catch((error: unknown) => {
        note(one.what)(error)
        return ''
      })
      await page.close()
      for (const [who, path] of one.shown?.(fixtures, made) ?? []) {
        const reader = readers.get(who) ?? (await open(who))
        readers.set(who, reader)
        await reader.goto(path)
        await settled(reader)
        await fits(reader, `${one.what} at ${path.slice(0, 60)} for ${who}`).catch(note(one.what))
      }
    }
    await closeFixtures(fixtures)
    expect(wrong.join('\n\n')).toBe('')
  })
}
