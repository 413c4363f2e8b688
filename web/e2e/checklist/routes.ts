import { expect, type Page } from '@playwright/test'
import { type Row, withSubscription } from './row'

const title = (text: string | RegExp) => async (page: Page) => {
  await expect(page.getByRole('heading', { level: 1, name: text })).toBeVisible()
}
const names = (page: Page, role: 'button' | 'link', all: string[]) =>
  Promise.all(all.map((name) => expect(page.getByRole(role, { name }).first()).toBeVisible()))
const tabs = (page: Page, label: string) => page.getByRole('navigation', { name: label }).getByRole('link')
const PROFILE = 'Parts of the profile'

/** Every public address of both documents, and what each role sees there. */
export const ROUTES: Row[] = [
  {
    proves: '1 §2 /: Easy App pages open from here',
    path: '/',
    see: async (page) => {
      const app = page.locator('main a[href^="/easy-app/"]').first()
      await app.click()
      await expect(page).toHaveURL(/\/easy-app\/[0-9a-f-]+/)
    },
  },
  { proves: '1 §2 /intro introduces guests', path: '/intro', see: title('Node graphs, as simple as a form') },
  {
    proves: '1 §2 /intro leads to / after login',
    who: 'person',
    path: '/intro',
    see: (page) => expect(page).toHaveURL(/:\d+\/$/),
  },
  { proves: '1 §2 /admin', who: 'admin', path: '/admin', see: title('Admin pages') },
  {
    proves: '1 §2 /admin/easy-app/{id}',
    who: 'admin',
    path: ({ app }) => `/admin/easy-app/${app}`,
    see: (page) => expect(page.getByRole('button', { name: 'Run' })).toBeVisible(),
  },
  {
    proves: '1 §2 /workflows/{id}: title, author, tags, counts, date, pictures, description, actions, mini app',
    path: ({ post }) => `/workflows/${post}`,
    see: async (page) => {
      const main = page.getByRole('main')
      await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(main.locator('a[href^="/profile/"]').first()).toBeVisible()
      await expect(main.locator('a[href^="/search?"]').first()).toBeVisible()
      for (const count of [/\d view/, /\d run/, /\d like/]) await expect(main.getByText(count).first()).toBeAttached()
      await expect(main.locator('time').first()).toHaveText(/^\d{4}\.\d{2}\.\d{2}$/)
      await names(page, 'button', [
        'Show picture 1',
        'Workflow preview',
        'Run',
        'Share',
        'Make a copy',
        'Download JSON',
      ])
      await expect(main.getByRole('button', { name: /^Favorite/ })).toBeVisible()
      await expect(main.getByRole('heading', { name: 'About this workflow' })).toBeVisible()
      await expect(main.getByRole('heading', { name: 'Try it here' })).toBeVisible()
    },
    keepsPage: true,
  },
  {
    proves: '1 §2 /search: tags of depth 0 use parentTag, others childrenTag',
    path: ({ post }) => `/workflows/${post}`,
    see: async (page) => {
      await page.locator('main a[href*="childrenTag="]').first().click()
      // The page of the workflow has an article too.
      await expect(page).toHaveURL(/\/search\?childrenTag=/)
      await expect(page.locator('article').first()).toBeVisible()
      await page.goto('/workflows')
      await page.getByRole('main').locator('a[href*="parentTag="]').first().click()
      await expect(page).toHaveURL(/\/search\?parentTag=/)
      await expect(page.locator('article').first()).toBeVisible()
    },
  },
  {
    proves: '1 §2 /workflows/edit/{id}',
    who: 'person',
    path: ({ own }) => `/workflows/edit/${own}`,
    see: title('Edit workflow'),
  },
  {
    proves: '1 §2 /workflows/edit/{id}?isUpload=true goes to the upload step',
    who: 'person',
    path: ({ own }) => `/workflows/edit/${own}?isUpload=true`,
    see: title('Publish your workflow'),
  },
  {
    proves: '1 §2 /basic-workflows/{id}',
    path: ({ basic }) => `/basic-workflows/${basic}`,
    see: (page) => expect(page.getByRole('button', { name: 'Workflow preview' })).toBeVisible(),
  },
  {
    proves: '1 §2 /easy-app/{id}: like the detail, without its actions',
    path: ({ app }) => `/easy-app/${app}`,
    see: async (page) => {
      await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Make a copy' })).toHaveCount(0)
    },
  },
  {
    proves: '1 §2 /gallery/{id}: raw image, author, duration, date, like, share, download',
    path: ({ picture }) => `/gallery/${picture}`,
    see: async (page) => {
      const layer = page.getByRole('dialog', { name: 'Picture' })
      await expect(layer.locator('img[src*="/media/raw/"], video').first()).toBeVisible()
      await expect(layer.locator('a[href^="/profile/"]')).toBeVisible()
      for (const fact of ['Created', 'Duration']) await expect(layer.getByText(fact, { exact: true })).toBeVisible()
      await names(page, 'button', ['Like', 'Share', 'Download'])
    },
  },
  {
    proves: '1 §2 /gallery/{id}: close button and Esc go back',
    path: '/gallery',
    see: async (page) => {
      for (const leave of [
        () => page.keyboard.press('Escape'),
        () => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click(),
      ]) {
        await page.getByRole('list', { name: 'Gallery' }).getByRole('link').first().click()
        await expect(page.getByRole('dialog', { name: 'Picture' })).toBeVisible()
        await leave()
        await expect(page).toHaveURL(/\/gallery$/)
      }
    },
  },
  {
    proves: '1 §2 /account: tabs account, subscription, coupon',
    who: 'person',
    path: '/account',
    see: async (page) => {
      for (const [tab, address] of [
        ['Subscription', 'subscription'],
        ['Coupon', 'coupon'],
      ] as const) {
        await page.getByRole('tab', { name: tab, exact: true }).click()
        await expect(page).toHaveURL(new RegExp(`tab=${address}`))
      }
    },
    keepsPage: true,
  },
  {
    proves: '1 §2 /account: the orders tab lists what was bought',
    who: 'person',
    path: '/account',
    see: async (page) => {
      await page.getByRole('tab', { name: 'Orders', exact: true }).click()
      await expect(page).toHaveURL(/tab=orders$/)
      await expect(page.getByRole('region', { name: 'Your orders' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Plans and credit packs' })).toHaveAttribute('href', '/pricing')
    },
    keepsPage: true,
  },
  {
    proves: '1 §2 /account: payment methods have a tab, and a card is added in the window of a provider',
    who: 'person',
    path: '/account',
    see: async (page) => {
      await page.getByRole('tab', { name: 'Payment methods', exact: true }).click()
      await expect(page).toHaveURL(/tab=payment$/)
      await expect(page.getByRole('region', { name: 'Your payment methods' })).toBeVisible()
      await page.getByRole('button', { name: 'Add a card' }).first().click()
      const form = page.getByRole('dialog', { name: 'Add a card' })
      await expect(form.getByLabel('Country of your billing address')).toBeVisible()
      await expect(form.getByRole('button', { name: 'Continue' })).toBeVisible()
    },
  },
  {
    proves: '1 §2 /account: a coupon is redeemed in its tab, and a link fills in its code',
    who: 'person',
    path: '/account?tab=coupon&code=no-such-code-2026',
    see: async (page) => {
      await expect(page.getByRole('region', { name: 'Used coupons' })).toBeVisible()
      const code = page.getByLabel('Coupon code')
      await expect(code).toHaveValue('NO-SUCH-CODE-2026')
      await code.press('Enter')
      await expect(page.getByText('No coupon has this code.')).toBeVisible()
      await expect(code).toBeFocused()
    },
  },
  {
    proves: '2 §2 /admin/list/v2-coupons: search, Active and Inactive, a form for new coupons',
    who: 'admin',
    path: '/admin/list/v2-coupons',
    see: async (page) => {
      await expect(page.getByRole('heading', { level: 1, name: 'Coupons' })).toBeVisible()
      await page.getByRole('radio', { name: 'Inactive' }).click()
      await expect(page).toHaveURL(/state=inactive$/)
      await page.getByRole('searchbox').last().fill('no such coupon')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Nothing matches these filters')).toBeVisible()
      await page.getByRole('button', { name: 'New coupon' }).click()
      const form = page.getByRole('dialog', { name: 'New coupon' })
      await form.getByRole('button', { name: 'Make a code for me' }).click()
      await expect(form.getByLabel('Code', { exact: true })).toHaveValue(/^\w{4}-\w{4}$/)
      await form.getByRole('radio', { name: 'A plan' }).click()
      await expect(form.getByLabel('Plan', { exact: true })).toContainText('Standard')
    },
  },
  {
    proves: '1 §2 /account: an order that is not the own one is unknown, and leaves the address',
    who: 'person',
    path: '/account?tab=orders&order=01970000-0000-7000-8000-000000000000',
    see: async (page) => {
      await expect(page.getByText('This order does not exist, or it belongs to another account.')).toBeVisible()
      await expect(page).toHaveURL(/tab=orders$/)
    },
  },
  {
    proves: '1 §2 /account: plan management in the subscription tab',
    who: 'person',
    path: '/account?tab=subscription',
    see: async (page) => {
      const panel = page.getByRole('tabpanel')
      await expect(panel.getByText('No subscription').or(panel.getByRole('region').first())).toBeVisible()
      await expect(panel.getByRole('link', { name: /plans/i }).first()).toHaveAttribute('href', '/pricing')
    },
  },
  {
    proves: '1 §2 /account: a plan that PayPal charges is approved there, and the page says so after the return',
    who: 'person',
    path: '/account?tab=subscription&paypal=canceled',
    // The test server has no PayPal.
    before: (page) =>
      withSubscription(page, {
        status: 'Pending',
        paidWith: 'PayPal',
        payAt: 'https://www.paypal.com/webapps/billing/subscriptions',
        amount: 990,
        currency: 'USD',
      }),
    see: async (page) => {
      await expect(page.getByText('You have not approved the plan. You can still do so.')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Approve at PayPal' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Cancel subscription' })).toBeVisible()
      await expect(page).toHaveURL(/tab=subscription$/)
    },
  },
  {
    proves: '1 §2 /account: a window of a provider that was closed says what to do, and leaves the address',
    who: 'person',
    path: '/account?tab=payment&method=01970000-0000-7000-8000-000000000000&failed=1&code=PAY_PROCESS_CANCELED',
    see: async (page) => {
      await expect(page.getByText('You closed the window of the payment provider.')).toBeVisible()
      await expect(page).toHaveURL(/tab=payment$/)
    },
  },
  {
    proves: '2 §2 /admin/subscription-calendar: months and days in the address, with the subscriptions of a day',
    who: 'admin',
    path: '/admin/subscription-calendar?month=2026-12',
    see: async (page) => {
      await expect(page.getByRole('heading', { level: 1, name: 'Subscription calendar' })).toBeVisible()
      const december = page.getByRole('table', { name: 'December 2026' })
      await expect(december.getByRole('link')).toHaveCount(31)
      await december.getByRole('link', { name: /December 24, 2026/ }).click()
      await expect(page).toHaveURL(/month=2026-12&day=2026-12-24/)
      await expect(page.getByRole('heading', { name: 'Subscriptions of December 24, 2026' })).toBeVisible()
      await page.getByRole('link', { name: 'Next month' }).click()
      await expect(page.getByRole('heading', { name: 'January 2027' })).toBeVisible()
      await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('PastDue')
      await expect(page).toHaveURL(/month=2027-01&status=PastDue/)
    },
  },
  {
    proves: '2 §2 /admin/list/items: plans are sold beside packs',
    who: 'admin',
    path: '/admin/list/items',
    see: async (page) => {
      await page.getByRole('button', { name: 'New item' }).click()
      const form = page.getByRole('dialog', { name: 'New item' })
      await form.getByRole('radio', { name: 'Plan' }).click()
      await expect(form.getByLabel('Plan', { exact: true })).toContainText('Standard')
      await expect(form.getByLabel('Credits')).toHaveCount(0)
    },
  },
  {
    proves: '2 §2 /test-card/{id}: unknown cards have no page',
    path: '/test-card/01970000-0000-7000-8000-000000000000',
    see: title('This page does not exist'),
  },
  {
    proves: '2 §2 /admin/list/order-history: filters in the address, and a file of what they show',
    who: 'admin',
    path: '/admin/list/order-history',
    see: async (page) => {
      await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
      await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('Failed')
      await page.getByLabel('Payment provider').selectOption('TossPayments')
      await page.getByRole('searchbox').last().fill('no-such-buyer@example.com')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/status=Failed&provider=TossPayments&search=/)
      await expect(page.getByText('Nothing matches these filters')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Download CSV' })).toHaveAttribute('href', /order\.csv\?search=/)
    },
  },
  {
    proves: '2 §2 /admin/list/items: a form for new items',
    who: 'admin',
    path: '/admin/list/items',
    see: async (page) => {
      await expect(page.getByRole('heading', { level: 1, name: 'Shop items' })).toBeVisible()
      await page.getByRole('button', { name: 'New item' }).click()
      const form = page.getByRole('dialog', { name: 'New item' })
      await form.getByRole('button', { name: 'Create item' }).click()
      await expect(form.getByText('Enter a price in at least one currency.')).toBeVisible()
      await expect(form.getByLabel('Name', { exact: true })).toBeFocused()
    },
  },
  {
    proves: '2 §2 /test-agreement/{id}: unknown agreements have no page',
    path: '/test-agreement/01970000-0000-7000-8000-000000000000',
    see: title('This page does not exist'),
  },
  {
    proves: '2 §2 /test-payment/{id}: unknown payments have no page',
    path: '/test-payment/01970000-0000-7000-8000-000000000000',
    see: title('This page does not exist'),
  },
  {
    proves: '2 §2 /pricing: packs of credits, without signing in',
    path: '/pricing',
    see: (page) => expect(page.getByRole('heading', { level: 2, name: 'Credit packs' })).toBeVisible(),
    keepsPage: true,
  },
  {
    proves: '2 §2 /pricing: plans and prices, without signing in',
    path: '/pricing',
    see: async (page) => {
      const plans = page.getByRole('list', { name: 'Plans' }).getByRole('listitem').getByRole('heading')
      await expect(plans).toHaveText(['Free', 'Basic', 'Standard', 'Advanced', 'Pro'])
      await expect(page.getByText('6,000 credits every month')).toBeVisible()
      await expect(page.getByText('Your plan')).toHaveCount(0)
    },
  },
  {
    proves: '1 §8 out of credits: the plans are at /pricing, with the current one marked',
    who: 'person',
    path: '/pricing',
    see: (page) => expect(page.getByText('Your plan')).toHaveCount(1),
  },
  {
    proves: '1 §2 /not-found: Go to Home leads to /',
    path: '/not-found',
    see: async (page) => {
      await page.getByRole('link', { name: 'Go to Home' }).click()
      await expect(page).toHaveURL(/:\d+\/$/)
    },
  },
  ...(
    [
      ['/workflows', 'Workflows'],
      ['/create/image', 'Create pictures'],
      ['/create/video', 'Create videos'],
      ['/basic-workflows', 'Basic workflows'],
      ['/youtube-community', 'Community videos'],
      ['/mobile-search?searchInputType=workflow', 'Search'],
    ] as const
  ).map(([path, heading]): Row => ({ proves: `2 §2 ${path}`, path, see: title(heading) })),
  ...(
    [
      ['youtube-community', 'Community videos'],
      ['list/v2-coupons', 'Coupons'],
      ['list/items', 'Shop items'],
      ['list/order-history', 'Orders'],
      ['list/jobs', 'Jobs'],
      ['subscription-calendar', 'Subscription calendar'],
      ['stats/revenue', 'Revenue'],
      ['list/comments', 'Comments'],
      ['list/verdigraph-generator', 'Generators'],
      ['ip-list', 'IP addresses'],
      ['user/info', 'People'],
      ['basic-workflows-manager', 'Basic workflows'],
      ['workflow-files', 'All workflows'],
      ['workflow-tags', 'Tags'],
    ] as const
  ).map(
    ([path, heading]): Row => ({
      proves: `2 §2 admin menu: ${path}`,
      who: 'admin',
      path: '/admin/workflow-files',
      see: async (page) => {
        await page.getByRole('navigation', { name: 'Main' }).locator(`a[href="/admin/${path}"]`).click()
        await expect(page).toHaveURL(new RegExp(`/admin/${path}$`))
        // By name: the page of the row before has a heading too.
        await title(heading)(page)
      },
      // Every admin page has the menu.
      keepsPage: true,
    }),
  ),
  ...(
    [
      ['/admin/workflows/{id}', 'post', 'workflows'],
      ['/admin/basic-workflows/{id}', 'basic', 'basic-workflows'],
    ] as const
  ).map(
    ([line, what, folder]): Row => ({
      proves: `1 §2 ${line}`,
      who: 'admin',
      path: (known) => `/admin/${folder}/${known[what]}`,
      see: (page) => names(page, 'button', ['Edit as admin', 'SFW']).then(() => undefined),
    }),
  ),
  {
    proves: '1 §2 /admin/gallery/{id}, 2 §2',
    who: 'admin',
    path: ({ picture }) => `/admin/gallery/${picture}`,
    see: (page) => expect(page.getByRole('button', { name: 'Mark as NSFW' })).toBeVisible(),
  },
  {
    proves: '1 §2 /admin/profile/{userId}/{tab}, 2 §6 an admin sees all tabs',
    who: 'admin',
    path: ({ author }) => `/admin/profile/${author}/workflow-files`,
    see: (page) => expect(tabs(page, PROFILE)).toHaveCount(5),
  },
  {
    proves: '2 §2 /profile/{userId}: workflows and gallery for anyone',
    path: ({ author }) => `/profile/${author}`,
    see: (page) => expect(tabs(page, PROFILE)).toHaveText(['Workflows', 'Gallery']),
  },
  {
    proves: '2 §2 /profile/{userId}: five tabs for the owner, who alone edits',
    who: 'person',
    path: ({ me }) => `/profile/${me}`,
    see: async (page) => {
      await expect(tabs(page, PROFILE)).toHaveCount(5)
      await expect(page.getByRole('button', { name: 'Contact points' })).toBeVisible()
    },
  },
  ...['workflow-files', 'image-files', 'favorite', 'nowhere'].map(
    (tab): Row => ({
      proves: `2 §2 /profile/{userId}/${tab} is not found by others`,
      path: ({ author }) => `/profile/${author}/${tab}`,
      see: (page) => expect(page.getByText('404', { exact: true })).toBeVisible(),
    }),
  ),
]
