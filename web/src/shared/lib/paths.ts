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
  jobs: () => '/jobs',
  job: (id: string) => `/jobs/${encodeURIComponent(id)}`,
  pictures: () => '/pictures',
  picture: (id: string) => `/gallery/${encodeURIComponent(id)}`,
  account: (tab?: 'account' | 'subscription' | 'coupon' | 'credits' | 'keys') =>
    tab ? `/account?tab=${tab}` : '/account',
  notFound: () => '/not-found',
} as const
