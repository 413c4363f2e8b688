import type { QueryClient } from '@tanstack/react-query'
import { createBrowserRouter, type LoaderFunctionArgs, Navigate, type RouteObject } from 'react-router'
import { userQuery, wasSignedIn } from '@/features/auth'
import { newestPicturesQuery, pictureSortOf, picturesQuery } from '@/features/gallery'
import { APP_PARAMS, miniAppQuery, miniAppsQuery, SIMPLE_APPS, simpleAppQuery } from '@/features/mini-apps'
import { workflowQuery, workflowTagsQuery } from '@/features/workflows'
import { restOfTexts, withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { nsfwChoice, nsfwFilter } from '@/shared/lib/nsfw'
import { paths } from '@/shared/lib/paths'
import { PageSpinner } from '@/shared/ui/spinner'
import { AdminLayout } from './admin/admin-layout'
import { ErrorScreen } from './error-screens/error-screen'
import { LAYERED, LayeredPages } from './layered-pages'
import { Shell } from './shell/shell'

type PageModule = { default: React.ComponentType }

/** A page with its code and texts, loaded in parallel. */
const page = (load: () => Promise<PageModule>) => ({
  lazy: async () => ({ Component: (await withTexts(load)()).default }),
})

/** A page whose first texts are in the main bundle. The texts of its later parts follow. */
const firstPage = (load: () => Promise<PageModule>) => ({
  lazy: async () => {
    void restOfTexts().catch(() => undefined)
    return { Component: (await load()).default }
  },
})

const create = page(chunk(() => import('@/features/mini-apps/pages/create-page')))
const post = firstPage(chunk(() => import('@/features/workflows/pages/workflow-page')))
const loadApp = chunk(() => import('./easy-app-page'))
/** The form needs only texts of the main bundle. The description is plain text until the rich text code is loaded. */
const app = firstPage(loadApp)
const simpleApp = page(chunk(() => import('@/features/mini-apps/pages/simple-app-page')))
const loadSign = chunk(() => import('@/features/auth/pages/sign-page'))
const loadTestProvider = chunk(() => import('@/features/billing/pages/test-provider-page'))
const workflowApi = page(chunk(() => import('@/features/workflow-api/pages/workflow-api-page')))
const picture = page(chunk(() => import('@/features/gallery/pages/picture-page')))

/** Preloads the code of a page that `LayeredPages` renders. */
const ahead = (name: keyof typeof LAYERED) => ({
  lazy: async () => {
    const saidFirst = name === 'home' || name === 'gallery'
    await Promise.all([LAYERED[name].load(), saidFirst || restOfTexts()])
    return {}
  },
})

/** Loaders only start queries: code and data load in parallel, and a pending page shows its own skeleton. */
export function routes(client: QueryClient): RouteObject[] {
  const start = (...queries: (() => Promise<unknown>)[]) => {
    return () => {
      for (const query of queries) void query()
      return null
    }
  }
  const user = () => client.prefetchQuery(userQuery())
  const apps = () => client.prefetchInfiniteQuery(miniAppsQuery('newest'))
  const allApps = ({ request }: LoaderFunctionArgs) => {
    const { tab, sort, works } = APP_PARAMS.read(new URL(request.url).searchParams)
    if (tab === 'all') void client.prefetchInfiniteQuery(miniAppsQuery(sort, works ? { works: true } : {}))
    return null
  }
  const best = () => client.prefetchInfiniteQuery(miniAppsQuery('view'))
  const making = (makes: 'image' | 'video') => () => client.prefetchInfiniteQuery(miniAppsQuery('view', { makes }))
  const newest = () => client.prefetchQuery(newestPicturesQuery(8))
  const tags = () => client.prefetchQuery(workflowTagsQuery())
  const gallery = ({ request }: LoaderFunctionArgs) => {
    const sort = pictureSortOf(new URL(request.url).searchParams)
    const list = { of: 'public', sort, nsfw: nsfwFilter(nsfwChoice()) } as const
    void client.prefetchInfiniteQuery(picturesQuery(list, false))
    return null
  }
  const signedIn = () => {
    const user = client.getQueryData(userQuery().queryKey)
    return user === undefined ? wasSignedIn() : Boolean(user)
  }
  const workflow = ({ params }: LoaderFunctionArgs) => {
    void client.prefetchQuery(workflowQuery(params.workflowId ?? '', signedIn()))
    return null
  }
  const form = ({ params }: LoaderFunctionArgs) => {
    void client.prefetchQuery(miniAppQuery(params.appId ?? '', signedIn()))
    return null
  }
  return [
    {
      element: <Shell />,
      errorElement: <ErrorScreen />,
      hydrateFallbackElement: <PageSpinner />,
      loader: start(user),
      shouldRevalidate: () => false,
      children: [
        {
          errorElement: <ErrorScreen />,
          children: [
            {
              Component: LayeredPages,
              children: [
                { index: true, loader: start(apps, best, newest), ...ahead('home') },
                { path: 'gallery', loader: gallery, ...ahead('gallery') },
                { path: 'pictures', ...ahead('mine') },
                { path: 'gallery/:pictureId', ...picture },
                { path: 'profile/:userId/*', ...ahead('profile') },
              ],
            },
            {
              Component: AdminLayout,
              children: [
                {
                  Component: LayeredPages,
                  children: [
                    { path: 'admin/profile/:userId/*', ...ahead('profile') },
                    { path: 'admin/gallery', ...ahead('gallery') },
                    { path: 'admin/gallery/:pictureId', ...picture },
                  ],
                },
                {
                  path: 'admin/youtube-community',
                  ...page(chunk(() => import('@/features/videos/pages/admin-videos-page'))),
                },
                {
                  path: 'admin/list/v2-coupons',
                  ...page(chunk(() => import('@/features/billing/pages/admin-coupons-page'))),
                },
                {
                  path: 'admin/list/promotions',
                  ...page(chunk(() => import('@/features/billing/pages/admin-promotions-page'))),
                },
                {
                  path: 'admin/list/items',
                  ...page(chunk(() => import('@/features/billing/pages/admin-items-page'))),
                },
                {
                  path: 'admin/list/order-history',
                  ...page(chunk(() => import('@/features/billing/pages/admin-orders-page'))),
                },
                {
                  path: 'admin/list/jobs',
                  ...page(chunk(() => import('@/features/jobs/pages/admin-jobs-page'))),
                },
                {
                  path: 'admin/subscription-calendar',
                  ...page(chunk(() => import('@/features/billing/pages/admin-subscriptions-page'))),
                },
                {
                  path: 'admin/stats/revenue',
                  ...page(chunk(() => import('@/features/billing/pages/admin-revenue-page'))),
                },
                {
                  path: 'admin/list/notification-notice',
                  ...page(chunk(() => import('@/features/notifications/pages/notices-page'))),
                },
                { path: 'admin', ...page(chunk(() => import('./admin/admin-page'))) },
                { path: 'admin/easy-app/:appId', loader: form, ...app },
                {
                  path: 'admin/workflow-files',
                  ...page(chunk(() => import('@/features/workflows/pages/admin-workflows-page'))),
                },
                { path: 'admin/workflow-api/:workflowId', ...workflowApi },
                { path: 'admin/workflows', element: <Navigate to={paths.admin.workflows()} replace /> },
                { path: 'admin/workflow-tags', ...page(chunk(() => import('@/features/curation/pages/tags-page'))) },
                {
                  path: 'admin/basic-workflows-manager',
                  ...page(chunk(() => import('@/features/curation/pages/basics-page'))),
                },
                { path: 'admin/moderation', ...page(chunk(() => import('@/features/moderation/pages/queue-page'))) },
                {
                  path: 'admin/list/comments',
                  ...page(chunk(() => import('@/features/moderation/pages/comments-page'))),
                },
                { path: 'admin/user/info', ...page(chunk(() => import('@/features/people/pages/people-page'))) },
                { path: 'admin/ip-list', ...page(chunk(() => import('@/features/people/pages/addresses-page'))) },
                {
                  path: 'admin/list/verdigraph-generator',
                  ...page(chunk(() => import('@/features/generators/pages/admin-generators-page'))),
                },
                { path: 'admin/audit', ...page(chunk(() => import('@/features/audit/pages/audit-page'))) },
                { path: 'admin/upkeep', ...page(chunk(() => import('@/features/upkeep/pages/upkeep-page'))) },
                { path: 'admin/workflows/:workflowId', ...post },
                { path: 'admin/basic-workflows/:workflowId', ...post },
              ],
            },
            { path: 'intro', ...page(chunk(() => import('./intro/intro-page'))) },
            { path: 'apps', loader: allApps, ...page(chunk(() => import('@/features/mini-apps/pages/apps-page'))) },
            ...SIMPLE_APPS.map((address) => ({
              path: `easy-app/${address}`,
              loader: start(() => client.prefetchQuery(simpleAppQuery(address))),
              ...simpleApp,
            })),
            { path: 'easy-app/:appId', loader: form, ...app },
            {
              path: 'workflows',
              loader: start(tags),
              ...page(chunk(() => import('@/features/workflows/pages/workflows-page'))),
            },
            {
              path: 'workflows/edit/:workflowId',
              ...page(chunk(() => import('@/features/workflows/pages/edit-page'))),
            },
            { path: 'workflows/:workflowId', loader: workflow, ...post },
            { path: 'workflow-api/:workflowId', ...workflowApi },
            { path: 'comfyui', ...page(chunk(() => import('@/features/editor/pages/editor-page'))) },
            {
              path: 'basic-workflows',
              ...page(chunk(() => import('@/features/workflows/pages/basic-workflows-page'))),
            },
            { path: 'basic-workflows/:workflowId', loader: workflow, ...post },
            {
              path: 'search',
              loader: start(tags),
              ...page(chunk(() => import('@/features/workflows/pages/search-page'))),
            },
            {
              path: 'mobile-search',
              loader: start(tags),
              ...page(chunk(() => import('@/features/workflows/pages/mobile-search-page'))),
            },
            {
              path: 'youtube-community',
              ...page(chunk(() => import('@/features/videos/pages/videos-page'))),
            },
            {
              path: 'create',
              children: [
                { path: 'image', loader: start(making('image')), ...create },
                { path: 'video', loader: start(making('video')), ...create },
              ],
            },
            { path: 'jobs', ...page(chunk(() => import('@/features/jobs/pages/jobs-page'))) },
            { path: 'jobs/:jobId', ...page(chunk(() => import('@/features/jobs/pages/job-page'))) },
            {
              path: 'notification/history',
              ...page(chunk(() => import('@/features/notifications/pages/history-page'))),
            },
            { path: 'unsubscribe', ...page(chunk(() => import('@/features/notifications/pages/unsubscribe-page'))) },
            { path: 'account', ...page(chunk(() => import('@/features/account/pages/account-page'))) },
            {
              path: 'login',
              ...page(async () => ({ default: (await loadSign()).LoginPage })),
            },
            {
              path: 'signup',
              ...page(async () => ({ default: (await loadSign()).SignupPage })),
            },
            { path: 'login/:provider', ...page(chunk(() => import('@/features/auth/pages/social-page'))) },
            { path: 'verify-email', ...page(chunk(() => import('@/features/auth/pages/verify-page'))) },
            { path: 'forgot-password', ...page(chunk(() => import('@/features/auth/pages/forgot-page'))) },
            { path: 'reset-password', ...page(chunk(() => import('@/features/auth/pages/reset-page'))) },
            { path: 'pricing', ...page(chunk(() => import('@/features/billing/pages/pricing-page'))) },
            {
              path: 'test-payment/:paymentId',
              ...page(async () => ({ default: (await loadTestProvider()).TestPaymentPage })),
            },
            {
              path: 'test-card/:cardId',
              ...page(async () => ({ default: (await loadTestProvider()).TestCardPage })),
            },
            {
              path: 'test-agreement/:agreementId',
              ...page(async () => ({ default: (await loadTestProvider()).TestAgreementPage })),
            },
            { path: 'terms', ...page(chunk(() => import('@/features/legal/pages/terms-page'))) },
            { path: 'privacy', ...page(chunk(() => import('@/features/legal/pages/privacy-page'))) },
            { path: '*', ...page(chunk(() => import('./error-screens/not-found-page'))) },
          ],
        },
      ],
    },
  ]
}

export const createRouter = (client: QueryClient) => createBrowserRouter(routes(client))
