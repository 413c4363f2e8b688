export type Who = 'guest' | 'person' | 'admin'
export const LANGUAGES = ['en', 'ko'] as const
export type Language = (typeof LANGUAGES)[number]

/** Ids of the demo content, for the pages of single items. */
export type Known = {
  app: string
  post: string
  basic: string | null
  picture: string
  /** A user with posts. */
  author: string
  me: string | null
  draft: string | null
  own: string | null
  jobs: Record<string, string>
}

export type SitePage = {
  name: string
  /** The address; null if the content for it does not exist. */
  path: (known: Known) => string | null
  who: readonly Who[]
  /** Take a full-length screenshot. */
  long?: true
}

const EVERYBODY = ['guest', 'person', 'admin'] as const
const GUEST = ['guest'] as const
const MEMBERS = ['person'] as const
const ADMIN = ['admin'] as const
const VISITORS = ['guest', 'person'] as const

const at = (path: string) => () => path
const picturesOf = (tab: string) => (known: Known) => known.me && `/profile/${known.me}/${tab}`
const job = (status: string) => (known: Known) => (known.jobs[status] ? `/jobs/${known.jobs[status]}` : null)

/**
 * Every page of the site and the roles that see their own content on it. Screenshots, accessibility and width tests use
 * this list: a new page adds its line here.
 */
export const SITE_PAGES: readonly SitePage[] = [
  { name: 'home', path: at('/'), who: EVERYBODY, long: true },
  { name: 'intro', path: at('/intro'), who: GUEST },
  { name: 'wish', path: at('/?wish=a cat in a red hat'), who: GUEST },
  { name: 'create-image', path: at('/create/image'), who: VISITORS },
  { name: 'create-video', path: at('/create/video'), who: VISITORS },
  { name: 'apps', path: at('/apps'), who: VISITORS },
  { name: 'apps-shared', path: at('/apps?tab=shared'), who: VISITORS },
  { name: 'mini-app', path: ({ app }) => `/easy-app/${app}`, who: VISITORS },
  { name: 'background-remover', path: at('/easy-app/background-remover'), who: VISITORS },
  { name: 'face-swap', path: at('/easy-app/face-swap'), who: VISITORS },
  { name: 'image-to-prompt', path: at('/easy-app/image-to-prompt'), who: VISITORS },
  { name: 'workflows', path: at('/workflows'), who: EVERYBODY },
  { name: 'workflow', path: ({ post }) => `/workflows/${post}`, who: VISITORS, long: true },
  { name: 'workflow-draft', path: ({ draft }) => draft && `/workflows/${draft}`, who: MEMBERS },
  { name: 'workflow-edit', path: ({ own }) => own && `/workflows/edit/${own}`, who: MEMBERS, long: true },
  { name: 'workflow-upload', path: ({ draft }) => draft && `/workflows/edit/${draft}?isUpload=true`, who: MEMBERS },
  { name: 'workflow-edit-guest', path: ({ post }) => `/workflows/edit/${post}`, who: GUEST },
  { name: 'editor', path: at('/comfyui'), who: VISITORS },
  { name: 'editor-preview', path: ({ post }) => `/comfyui?flow=${post}&readonly=true`, who: VISITORS },
  { name: 'workflow-api', path: ({ own }) => own && `/workflow-api/${own}`, who: MEMBERS },
  {
    name: 'workflow-api-detail',
    path: ({ own }) => own && `/workflow-api/${own}?tab=detail`,
    who: MEMBERS,
    long: true,
  },
  { name: 'workflow-api-share', path: ({ own }) => own && `/workflow-api/${own}?tab=share`, who: MEMBERS },
  { name: 'workflow-api-webhook', path: ({ own }) => own && `/workflow-api/${own}?tab=webhook`, who: MEMBERS },
  {
    name: 'workflow-api-data',
    path: ({ own }) => own && `/workflow-api/${own}?tab=dataPreview`,
    who: MEMBERS,
    long: true,
  },
  { name: 'workflow-api-guest', path: ({ post }) => `/workflow-api/${post}`, who: GUEST },
  { name: 'basic-workflows', path: at('/basic-workflows'), who: VISITORS },
  { name: 'basic-workflow', path: ({ basic }) => basic && `/basic-workflows/${basic}`, who: GUEST },
  { name: 'search', path: at('/search?q=light'), who: GUEST },
  { name: 'search-none', path: at('/search?q=zzzzzz'), who: GUEST },
  { name: 'search-tag', path: at('/search?parentTag=01970000-0000-7000-8000-000000000100'), who: GUEST },
  { name: 'mobile-search', path: at('/mobile-search?searchInputType=all'), who: GUEST },
  { name: 'gallery', path: at('/gallery'), who: EVERYBODY },
  { name: 'picture', path: ({ picture }) => `/gallery/${picture}`, who: EVERYBODY },
  { name: 'profile', path: ({ author }) => `/profile/${author}/workflows`, who: VISITORS },
  { name: 'profile-gallery', path: ({ author }) => `/profile/${author}/gallery`, who: GUEST },
  { name: 'profile-workflow-files', path: picturesOf('workflow-files'), who: MEMBERS },
  { name: 'profile-image-files', path: picturesOf('image-files'), who: MEMBERS },
  { name: 'profile-favorite', path: picturesOf('favorite'), who: MEMBERS },
  { name: 'community-videos', path: at('/youtube-community'), who: VISITORS },
  { name: 'pictures', path: at('/pictures'), who: VISITORS },
  { name: 'jobs', path: at('/jobs'), who: VISITORS },
  { name: 'job', path: job('Done'), who: MEMBERS },
  { name: 'job-failed', path: job('ExecuteError'), who: MEMBERS },
  { name: 'account', path: at('/account'), who: VISITORS, long: true },
  { name: 'account-subscription', path: at('/account?tab=subscription'), who: MEMBERS },
  { name: 'account-payment', path: at('/account?tab=payment'), who: MEMBERS },
  {
    name: 'account-payment-failed',
    path: at(
      '/account?tab=payment&method=01970000-0000-7000-8000-000000000000&failed=1&code=PAY_PROCESS_CANCELED&message=x',
    ),
    who: MEMBERS,
  },
  { name: 'account-coupon', path: at('/account?tab=coupon'), who: MEMBERS },
  { name: 'account-coupon-link', path: at('/account?tab=coupon&code=WELCOME-2026'), who: MEMBERS },
  { name: 'account-keys', path: at('/account?tab=keys'), who: MEMBERS },
  { name: 'account-webhooks', path: at('/account?tab=webhooks'), who: MEMBERS },
  { name: 'account-credits', path: at('/account?tab=credits'), who: MEMBERS },
  { name: 'account-orders', path: at('/account?tab=orders'), who: MEMBERS },
  {
    name: 'account-orders-unknown',
    path: at('/account?tab=orders&order=01970000-0000-7000-8000-000000000000'),
    who: MEMBERS,
  },
  { name: 'notifications', path: at('/notification/history?type=ALL'), who: VISITORS },
  { name: 'unsubscribe', path: at('/unsubscribe#code=x'), who: GUEST },
  { name: 'login', path: at('/login'), who: GUEST },
  { name: 'signup', path: at('/signup'), who: GUEST },
  { name: 'forgot-password', path: at('/forgot-password'), who: GUEST },
  { name: 'reset-password', path: at('/reset-password#code=x'), who: GUEST },
  { name: 'verify-email', path: at('/verify-email'), who: GUEST },
  { name: 'login-declined', path: at('/login/google?error=access_denied'), who: GUEST },
  { name: 'pricing', path: at('/pricing'), who: VISITORS },
  { name: 'test-payment-unknown', path: at('/test-payment/01970000-0000-7000-8000-000000000000'), who: GUEST },
  { name: 'test-card-unknown', path: at('/test-card/01970000-0000-7000-8000-000000000000'), who: GUEST },
  { name: 'test-agreement-unknown', path: at('/test-agreement/01970000-0000-7000-8000-000000000000'), who: GUEST },
  { name: 'terms', path: at('/terms'), who: GUEST, long: true },
  { name: 'privacy', path: at('/privacy'), who: GUEST, long: true },
  { name: 'not-found', path: at('/not-found'), who: GUEST },
  { name: 'admin', path: at('/admin'), who: ADMIN },
  { name: 'admin-easy-app', path: ({ app }) => `/admin/easy-app/${app}`, who: ADMIN },
  { name: 'admin-workflows', path: at('/admin/workflow-files'), who: ADMIN },
  { name: 'admin-basics', path: at('/admin/basic-workflows-manager'), who: ADMIN },
  { name: 'admin-tags', path: at('/admin/workflow-tags'), who: ADMIN },
  { name: 'admin-workflow', path: ({ post }) => `/admin/workflows/${post}`, who: ADMIN },
  { name: 'admin-workflow-api', path: ({ post }) => `/admin/workflow-api/${post}`, who: ADMIN },
  { name: 'admin-gallery', path: at('/admin/gallery'), who: ADMIN },
  { name: 'admin-picture', path: ({ picture }) => `/admin/gallery/${picture}`, who: ADMIN },
  { name: 'admin-basic-workflow', path: ({ basic }) => basic && `/admin/basic-workflows/${basic}`, who: ADMIN },
  { name: 'admin-community-videos', path: at('/admin/youtube-community'), who: ADMIN },
  { name: 'admin-coupons', path: at('/admin/list/v2-coupons'), who: ADMIN },
  { name: 'admin-promotions', path: at('/admin/list/promotions'), who: ADMIN },
  { name: 'admin-items', path: at('/admin/list/items'), who: ADMIN },
  { name: 'admin-orders', path: at('/admin/list/order-history'), who: ADMIN },
  { name: 'admin-jobs', path: at('/admin/list/jobs'), who: ADMIN },
  { name: 'admin-subscriptions', path: at('/admin/subscription-calendar'), who: ADMIN },
  {
    name: 'admin-subscriptions-day',
    path: at('/admin/subscription-calendar?month=2026-12&day=2026-12-24'),
    who: ADMIN,
  },
  { name: 'admin-revenue', path: at('/admin/stats/revenue'), who: ADMIN },
  {
    name: 'admin-revenue-months',
    path: at('/admin/stats/revenue?from=2026-01-01&until=2026-12-31&groupBy=month'),
    who: ADMIN,
  },
  { name: 'admin-notices', path: at('/admin/list/notification-notice'), who: ADMIN },
  { name: 'admin-moderation', path: at('/admin/moderation'), who: ADMIN },
  { name: 'admin-comments', path: at('/admin/list/comments'), who: ADMIN },
  { name: 'admin-people', path: at('/admin/user/info'), who: ADMIN },
  { name: 'admin-person', path: ({ author }) => `/admin/user/info?user=${author}`, who: ADMIN },
  { name: 'admin-addresses', path: at('/admin/ip-list'), who: ADMIN },
  { name: 'admin-generators', path: at('/admin/list/verdigraph-generator'), who: ADMIN },
  { name: 'admin-simple-apps', path: at('/admin/list/verdigraph-generator?part=apps'), who: ADMIN },
  { name: 'admin-generator-models', path: at('/admin/list/verdigraph-generator?part=models'), who: ADMIN },
  { name: 'admin-audit', path: at('/admin/audit'), who: ADMIN },
  { name: 'admin-upkeep', path: at('/admin/upkeep'), who: ADMIN },
  { name: 'admin-profile', path: ({ author }) => `/admin/profile/${author}/workflow-files`, who: ADMIN },
]

/** The pages of this role with their addresses. */
export function pagesOf(who: Who, known: Known): { name: string; path: string; long: boolean }[] {
  return SITE_PAGES.filter((page) => page.who.includes(who)).flatMap(({ name, path, long }) => {
    const address = path(known)
    return address ? [{ name, path: address, long: Boolean(long) }] : []
  })
}
