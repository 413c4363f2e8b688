import { expect } from '@playwright/test'
import { VIDEO } from '../youtube'
import { call, type Fixtures, items, type Person } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

type Video = { _id: string; name: string }
const videos = (admin: Person) => items<Video>(admin, '/api/admin/youtube-community/list?limit=24')
const noVideos = async (admin: Person) => {
  for (const { _id, name } of await videos(admin)) {
    if (name === VIDEO.title || name.startsWith('Press ')) {
      await call(admin, 'delete', `/api/admin/youtube-community/${_id}`)
    }
  }
}
const aVideo = async ({ admin }: Fixtures) => {
  await noVideos(admin)
  await call(admin, 'post', '/api/admin/youtube-community', { url: `https://youtu.be/${VIDEO.id}` })
  return VIDEO.title
}
const PAGE = '/admin/youtube-community'

/** Community videos of admins. */
export const VIDEOS: Press[] = [
  {
    hook: 'videos/useAddVideo',
    who: 'admin',
    stage: async ({ admin }) => {
      await noVideos(admin)
      return ''
    },
    path: PAGE,
    reach: (page) => page.getByLabel('YouTube address').fill(`https://youtu.be/${VIDEO.id}`),
    button: (page) => mainButton(page, 'Add video'),
    writes: ['POST /api/admin/youtube-community'],
    kept: async (_page, _, { admin }) =>
      expect((await videos(admin)).filter(({ name }) => name === VIDEO.title)).toHaveLength(1),
  },
  {
    hook: 'videos/useRefreshVideo',
    who: 'admin',
    stage: aVideo,
    path: PAGE,
    button: (page, name) => mainButton(page, `Refresh ${name} from YouTube`),
    writes: ['POST /api/admin/youtube-community/:id/refresh'],
  },
  {
    hook: 'videos/useChangeVideo',
    who: 'admin',
    stage: aVideo,
    path: PAGE,
    reach: async (page, name) => {
      await mainButton(page, `Edit ${name}`).click()
      await page.getByRole('dialog').getByLabel('Title').fill('Press a title')
    },
    button: (page) => dialogButton(page, 'Save'),
    writes: ['PATCH /api/admin/youtube-community/:id'],
    kept: async (_page, _, { admin }) =>
      expect((await videos(admin)).filter(({ name }) => name === 'Press a title')).toHaveLength(1),
  },
  {
    hook: 'videos/useRemoveVideo',
    who: 'admin',
    stage: aVideo,
    path: PAGE,
    reach: (page, name) => mainButton(page, `Remove ${name}`).click(),
    button: (page) => dialogButton(page, 'Remove'),
    writes: ['DELETE /api/admin/youtube-community/:id'],
    kept: async (_page, _, { admin }) =>
      expect((await videos(admin)).filter(({ name }) => name === VIDEO.title)).toHaveLength(0),
  },
]
