import type { EditorSource } from '@/shared/api/editor'

/** The sub-pages of a profile. */
export type ProfileTab = 'workflows' | 'gallery' | 'workflow-files' | 'image-files' | 'favorite'

/** Whether a path belongs to admin mode, where pages show more and allow more. */
export const isAdminPath = (pathname: string): boolean => pathname === '/admin' || pathname.startsWith('/admin/')

/** All URLs of the application. A link cannot name a page that does not exist. */
export const paths = {
  home: () => '/',
  login: () => '/login',
  signup: () => '/signup',
  verifyEmail: () => '/verify-email',
  forgotPassword: () => '/forgot-password',
  resetPassword: () => '/reset-password',
  terms: () => '/terms',
  privacy: () => '/privacy',
  /** With a plan it opens the dialog in which that plan is bought or changed to. */
  pricing: (plan?: string) => (plan ? `/pricing?plan=${encodeURIComponent(plan)}` : '/pricing'),
  apps: () => '/apps',
  sharedApps: () => '/apps?tab=shared',
  miniApp: (id: string, job?: string) =>
    `/easy-app/${encodeURIComponent(id)}${job ? `?job=${encodeURIComponent(job)}` : ''}`,
  /** A page with one purpose, such as removing a background. */
  simpleApp: (address: string) => `/easy-app/${encodeURIComponent(address)}`,
  /** The home page with a sentence in its prompt box. */
  wish: (text: string) => `/?${new URLSearchParams({ wish: text })}`,
  /** A mini app, filled in with the settings of a picture that it made. */
  miniAppFrom: (id: string, picture: string) =>
    `/easy-app/${encodeURIComponent(id)}?from=${encodeURIComponent(picture)}`,
  workflows: () => '/workflows',
  workflow: (id: string) => `/workflows/${encodeURIComponent(id)}`,
  editWorkflow: (id: string, upload = false) =>
    `/workflows/edit/${encodeURIComponent(id)}${upload ? '?isUpload=true' : ''}`,
  /**
   * The editor that turns a workflow's inputs and outputs into an API with a form. With `app` it starts with the app
   * that the workflow brings.
   */
  workflowApi: (id: string, app = false) =>
    `/workflow-api/${encodeURIComponent(id)}${app ? '?tab=detail&app=true' : ''}`,
  /** The node editor. Without a query it opens an empty project, or the unsaved one. */
  editor: (open?: EditorSource) => (open ? `/comfyui?${new URLSearchParams(open)}` : '/comfyui'),
  basicWorkflows: () => '/basic-workflows',
  basicWorkflow: (id: string) => `/basic-workflows/${encodeURIComponent(id)}`,
  search: (query: Record<string, string>) => `/search?${new URLSearchParams(query)}`,
  mobileSearch: () => '/mobile-search?searchInputType=all',
  jobs: () => '/jobs',
  batch: (id: string) => `/jobs?batch=${encodeURIComponent(id)}`,
  /** The jobs with a label: `key=value`. */
  jobsWith: (label: string) => `/jobs?label=${encodeURIComponent(label)}`,
  job: (id: string) => `/jobs/${encodeURIComponent(id)}`,
  pictures: () => '/pictures',
  gallery: () => '/gallery',
  picture: (id: string) => `/gallery/${encodeURIComponent(id)}`,
  videos: (query?: Record<string, string>) => `/youtube-community${query ? `?${new URLSearchParams(query)}` : ''}`,
  notifications: (type: string) => `/notification/history?type=${encodeURIComponent(type)}`,
  alerts: () => '/account#notifications',
  createImage: () => '/create/image',
  createVideo: () => '/create/video',
  profile: (id: string, tab?: ProfileTab) => `/profile/${encodeURIComponent(id)}${tab ? `/${tab}` : ''}`,
  intro: () => '/intro',
  admin: {
    home: () => '/admin',
    miniApp: (id: string) => `/admin/easy-app/${encodeURIComponent(id)}`,
    workflows: (userId?: string) => `/admin/workflow-files${userId ? `?user=${encodeURIComponent(userId)}` : ''}`,
    workflow: (id: string) => `/admin/workflows/${encodeURIComponent(id)}`,
    workflowApi: (id: string) => `/admin/workflow-api/${encodeURIComponent(id)}`,
    basics: () => '/admin/basic-workflows-manager',
    tags: () => '/admin/workflow-tags',
    gallery: () => '/admin/gallery',
    videos: () => '/admin/youtube-community',
    coupons: () => '/admin/list/v2-coupons',
    promotions: () => '/admin/list/promotions',
    items: () => '/admin/list/items',
    orders: (search?: string) => `/admin/list/order-history${search ? `?search=${encodeURIComponent(search)}` : ''}`,
    subscriptions: () => '/admin/subscription-calendar',
    revenue: () => '/admin/stats/revenue',
    jobs: (query?: Record<string, string>) => `/admin/list/jobs${query ? `?${new URLSearchParams(query)}` : ''}`,
    notices: () => '/admin/list/notification-notice',
    moderation: (caseId?: string) => `/admin/moderation${caseId ? `?case=${encodeURIComponent(caseId)}` : ''}`,
    comments: (userId?: string) => `/admin/list/comments${userId ? `?user=${encodeURIComponent(userId)}` : ''}`,
    people: (userId?: string) => `/admin/user/info${userId ? `?user=${encodeURIComponent(userId)}` : ''}`,
    addresses: (address?: string) => `/admin/ip-list${address ? `?address=${encodeURIComponent(address)}` : ''}`,
    audit: (query?: Record<string, string>) => `/admin/audit${query ? `?${new URLSearchParams(query)}` : ''}`,
    upkeep: () => '/admin/upkeep',
    generators: () => '/admin/list/verdigraph-generator',
    picture: (id: string) => `/admin/gallery/${encodeURIComponent(id)}`,
    profile: (id: string, tab?: ProfileTab) => `/admin/profile/${encodeURIComponent(id)}${tab ? `/${tab}` : ''}`,
  },
  account: (tab?: 'account' | 'subscription' | 'payment' | 'coupon' | 'credits' | 'orders' | 'keys' | 'webhooks') =>
    tab ? `/account?tab=${tab}` : '/account',
  notFound: () => '/not-found',
} as const

/** The API documentation, which the server renders itself. */
export const API_DOCS = '/api/docs'
