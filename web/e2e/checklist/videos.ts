import { expect } from '@playwright/test'
import { expectToast, mockRefusal, mockSuccess, type Row } from './row'

const video = {
  _id: '01970000-0000-7000-8000-00000000bbbb',
  name: 'Silk in twelve nodes',
  author_name: 'Verdi Lab',
  authorUrl: null,
  youtubeCreatedAt: '2025-03-09T00:00:00Z',
  html: '<iframe src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"></iframe>',
  url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  youtubeId: 'dQw4w9WgXcQ',
  frameUrl: 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
  poster: null,
  isAvailable: true,
  checkedAt: '2026-01-01T00:00:00Z',
  createdAt: '2026-01-01T00:00:00Z',
}

/** Community videos: the second document. */
export const VIDEOS: Row[] = [
  {
    proves: '2 §1 a community video shows name, author, day, its frame and its address',
    path: '/youtube-community',
    before: (page) =>
      mockSuccess(page, 'GET', '**/api/public/youtube-community/list*', { items: [video], nextCursor: null }),
    see: async (page) => {
      const card = page.locator('article').filter({ hasText: video.name })
      await expect(card.getByText(video.author_name)).toBeVisible()
      await expect(card.locator('time')).toHaveText('2025.03.09')
      await expect(card.locator(`a[href="${video.url}"]`)).toBeVisible()
      await card.getByRole('button', { name: /^Play/ }).click()
      await expect(card.locator('iframe')).toHaveAttribute('src', /youtube-nocookie\.com\/embed\/dQw4w9WgXcQ/)
    },
  },
  {
    proves: '2 §7 GET /public/youtube-community/list with sort, filter, keyword and cursor',
    path: '/youtube-community',
    see: async (page) => {
      const asked = page.waitForRequest(/youtube-community\/list\?(?=.*sort=oldest)(?=.*keyword=silk)(?=.*filter=)/)
      await mockSuccess(page, 'GET', '**/api/public/youtube-community/list*', { items: [video], nextCursor: 'next' })
      const more = page.waitForRequest(/youtube-community\/list\?.*cursor=next/)
      await page.goto('/youtube-community?sort=oldest&keyword=silk&author=Verdi%20Lab')
      await asked
      // The list loads the next page when its end comes near, so the button may be gone before it is clicked.
      await page.mouse.wheel(0, 4000)
      await more
    },
  },
  {
    proves: "2 §8 a refresh that fails says 'failed to refresh'",
    who: 'admin',
    path: '/admin/youtube-community',
    before: async (page) => {
      await mockSuccess(page, 'GET', '**/api/admin/youtube-community/list*', { items: [video], nextCursor: null })
      await mockRefusal(page, 'POST', '**/api/admin/youtube-community/*/refresh', 503, 'UNAVAILABLE')
    },
    see: async (page) => {
      await page.getByRole('button', { name: `Refresh ${video.name} from YouTube` }).click()
      await expectToast(page, /^Failed to refresh/)
    },
  },
]
