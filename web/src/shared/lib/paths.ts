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
  adminWorkflows: () => '/admin/workflows',
  adminWorkflow: (id: string) => `/admin/workflows/${encodeURIComponent(id)}`,
  jobs: () => '/jobs',
  job: (id: string) => `/jobs/${encodeURIComponent(id)}`,
  pictures: () => '/pictures',
  picture: (id: string) => `/gallery/${encodeURIComponent(id)}`,
  account: (tab?: 'account' | 'subscription' | 'coupon' | 'credits' | 'keys') =>
    tab ? `/account?tab=${tab}` : '/account',
  notFound: () => '/not-found',
} as const
