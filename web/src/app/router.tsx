import type { QueryClient } from '@tanstack/react-query'
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { userQuery } from '@/features/auth'
import { newestPicturesQuery } from '@/features/gallery'
import { miniAppsQuery } from '@/features/mini-apps'
import { workflowTagsQuery } from '@/features/workflows'
import { PageSpinner } from '@/shared/ui/spinner'
import { ErrorScreen } from './error-screens/error-screen'
import { LAYERED, LayeredPages } from './layered-pages'
import { Shell } from './shell/shell'

type PageModule = { default: React.ComponentType }

const page = (load: () => Promise<PageModule>) => ({ lazy: async () => ({ Component: (await load()).default }) })

const create = page(() => import('@/features/mini-apps/pages/create-page'))
const picture = page(() => import('@/features/gallery/pages/picture-page'))

/** The code of a page that `LayeredPages` shows: fetched with the route, drawn by the layer. */
const ahead = (name: keyof typeof LAYERED) => ({
  lazy: async () => {
    await LAYERED[name].load()
    return {}
  },
})

/** Loaders only start queries: code and data travel side by side, and a page that waits shows its own skeleton. */
export function routes(client: QueryClient): RouteObject[] {
  const start = (...queries: (() => Promise<unknown>)[]) => {
    return () => {
      for (const query of queries) void query()
      return null
    }
  }
  const user = () => client.prefetchQuery(userQuery())
  const apps = () => client.prefetchInfiniteQuery(miniAppsQuery('newest'))
  const best = () => client.prefetchInfiniteQuery(miniAppsQuery('view'))
  const newest = () => client.prefetchQuery(newestPicturesQuery(8))
  const tags = () => client.prefetchQuery(workflowTagsQuery())
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
                { path: 'gallery', ...ahead('gallery') },
                { path: 'pictures', ...ahead('mine') },
                { path: 'gallery/:pictureId', ...picture },
                { path: 'profile/:userId/*', ...ahead('profile') },
                { path: 'admin/profile/:userId/*', ...ahead('profile') },
                { path: 'admin/gallery', ...ahead('gallery') },
                { path: 'admin/gallery/:pictureId', ...picture },
              ],
            },
            { path: 'intro', element: <Navigate to="/" replace /> },
            { path: 'apps', loader: start(apps), ...page(() => import('@/features/mini-apps/pages/apps-page')) },
            { path: 'easy-app/:appId', ...page(() => import('./easy-app-page')) },
            {
              path: 'workflows',
              loader: start(tags),
              ...page(() => import('@/features/workflows/pages/workflows-page')),
            },
            { path: 'workflows/edit/:workflowId', ...page(() => import('@/features/workflows/pages/edit-page')) },
            { path: 'workflows/:workflowId', ...page(() => import('@/features/workflows/pages/workflow-page')) },
            { path: 'basic-workflows', ...page(() => import('@/features/workflows/pages/basic-workflows-page')) },
            { path: 'basic-workflows/:workflowId', ...page(() => import('@/features/workflows/pages/workflow-page')) },
            { path: 'search', loader: start(tags), ...page(() => import('@/features/workflows/pages/search-page')) },
            {
              path: 'mobile-search',
              loader: start(tags),
              ...page(() => import('@/features/workflows/pages/mobile-search-page')),
            },
            { path: 'youtube-community', ...page(() => import('@/features/community-videos/pages/videos-page')) },
            {
              path: 'admin/youtube-community',
              ...page(() => import('@/features/community-videos/pages/admin-videos-page')),
            },
            { path: 'admin/workflows', ...page(() => import('@/features/workflows/pages/admin-workflows-page')) },
            { path: 'admin/workflows/:workflowId', ...page(() => import('@/features/workflows/pages/workflow-page')) },
            {
              path: 'admin/basic-workflows/:workflowId',
              ...page(() => import('@/features/workflows/pages/workflow-page')),
            },
            {
              path: 'create',
              children: [
                { path: 'image', loader: start(best), ...create },
                { path: 'video', loader: start(best), ...create },
              ],
            },
            { path: 'jobs', ...page(() => import('@/features/jobs/pages/jobs-page')) },
            { path: 'jobs/:jobId', ...page(() => import('@/features/jobs/pages/job-page')) },
            { path: 'account', ...page(() => import('@/features/account/pages/account-page')) },
            {
              path: 'login',
              lazy: async () => ({ Component: (await import('@/features/auth/pages/sign-page')).LoginPage }),
            },
            {
              path: 'signup',
              lazy: async () => ({ Component: (await import('@/features/auth/pages/sign-page')).SignupPage }),
            },
            { path: 'login/:provider', ...page(() => import('@/features/auth/pages/social-page')) },
            { path: 'verify-email', ...page(() => import('@/features/auth/pages/verify-page')) },
            { path: 'forgot-password', ...page(() => import('@/features/auth/pages/forgot-page')) },
            { path: 'reset-password', ...page(() => import('@/features/auth/pages/reset-page')) },
            { path: '*', ...page(() => import('./error-screens/not-found-page')) },
          ],
        },
      ],
    },
  ]
}

export const createRouter = (client: QueryClient) => createBrowserRouter(routes(client))
