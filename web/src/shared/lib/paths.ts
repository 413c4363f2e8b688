/** The nested pages of a profile. */
export type ProfileTab = 'workflows' | 'gallery' | 'workflow-files' | 'image-files' | 'favorite'

/** Admin mode: the path begins with /admin, and the pages below it show and do more. */
export const isAdminPath = (pathname: string): boolean => pathname === '/admin' || pathname.startsWith('/admin/')

/** Every address of the application, so that a link cannot name a page that does not exist. */
export const paths = {
  home: () => '/',
  login: () => '/login',
  signup: () => '/signup',
  verifyEmail: () => '/verify-email',
  forgotPassword: () => '/forgot-password',
  resetPassword: () => '/reset-password',
  apps: () => '/apps',
  miniApp: (id: string, job?: string) =>
    `/easy-app/${encodeURIComponent(id)}${job ? `?job=${encodeURIComponent(job)}` : ''}`,
  workflows: () => '/workflows',
  workflow: (id: string) => `/workflows/${encodeURIComponent(id)}`,
  editWorkflow: (id: string, upload = false) =>
    `/workflows/edit/${encodeURIComponent(id)}${upload ? '?isUpload=true' : ''}`,
  basicWorkflows: () => '/basic-workflows',
  basicWorkflow: (id: string) => `/basic-workflows/${encodeURIComponent(id)}`,
  search: (query: Record<string, string>) => `/search?${new URLSearchParams(query)}`,
  mobileSearch: () => '/mobile-search?searchInputType=workflow',
  jobs: () => '/jobs',
  job: (id: string) => `/jobs/${encodeURIComponent(id)}`,
  pictures: () => '/pictures',
  gallery: () => '/gallery',
  picture: (id: string) => `/gallery/${encodeURIComponent(id)}`,
  videos: (query?: Record<string, string>) => `/youtube-community${query ? `?${new URLSearchParams(query)}` : ''}`,
  createImage: () => '/create/image',
  createVideo: () => '/create/video',
  profile: (id: string, tab?: ProfileTab) => `/profile/${encodeURIComponent(id)}${tab ? `/${tab}` : ''}`,
  admin: {
    workflows: () => '/admin/workflows',
    workflow: (id: string) => `/admin/workflows/${encodeURIComponent(id)}`,
    gallery: () => '/admin/gallery',
    videos: () => '/admin/youtube-community',
    picture: (id: string) => `/admin/gallery/${encodeURIComponent(id)}`,
    profile: (id: string, tab?: ProfileTab) => `/admin/profile/${encodeURIComponent(id)}${tab ? `/${tab}` : ''}`,
  },
  account: (tab?: 'account' | 'subscription' | 'coupon' | 'credits' | 'keys') =>
    tab ? `/account?tab=${tab}` : '/account',
  notFound: () => '/not-found',
} as const
