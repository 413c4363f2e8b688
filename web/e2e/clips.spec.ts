import { expect, type Page, type Route, test } from '@playwright/test'
import { clip, poster } from './clip'

const video = {
  _id: 'v1',
  key: 'v1.webm',
  format: 'webm',
  rawUrl: '/media/raw/v1.webm',
  optimalUrl: '/media/raw/v1.webm',
  asset: {
    key: 'v1.webm',
    baseUrl: '',
    url: '/media/raw/v1.webm',
    thumbnailUrl: '/media/w200/v1.webm',
    width: 64,
    height: 48,
    metadata: { width: 64, height: 48, duration: 2000, videoPreviewImageUrl: '/media/optimal/v1.webm' },
    blurHash: null,
  },
  user: { _id: 'u', name: 'Filmmaker', profile: null, socialProfile: null },
  likes: [],
  likeCount: 2,
  viewCount: 5,
  isPrivate: false,
  isNsfw: false,
  createdAt: '2026-11-20T08:00:00Z',
  kind: 'video',
  job: { _id: null, duration: 1500 },
}

/** A gallery with one video, served in the ranges that the player requests. Records the requested ranges. */
async function withVideo(page: Page, metadata = video.asset.metadata as typeof video.asset.metadata | null) {
  const asked: string[] = []
  const item = { ...video, asset: { ...video.asset, metadata } }
  await page.route('**/api/public/output-asset?*', (route) =>
    route.fulfill({ json: { items: [item], nextCursor: null } }),
  )
  await page.route('**/api/public/output-asset/v1', (route) => route.fulfill({ json: item }))
  await page.route('**/api/public/comment/output-asset/v1?*', (route) =>
    route.fulfill({
      json: { items: [], commentCount: 0, pagination: { currentPage: 1, totalPages: 0, totalCount: 0, limit: 20 } },
    }),
  )
  await page.route('**/media/optimal/v1.webm', (route) => route.fulfill({ body: poster, contentType: 'image/webp' }))
  await page.route('**/media/raw/v1.webm', (route) => {
    asked.push(route.request().headers().range ?? 'all')
    return part(route)
  })
  return asked
}

/** Answers range requests as the server does. */
function part(route: Route) {
  const headers = { 'accept-ranges': 'bytes', 'content-type': 'video/webm' }
  const range = /^bytes=(\d+)-(\d*)$/.exec(route.request().headers().range ?? '')
  if (!range) return route.fulfill({ status: 200, headers, body: clip })
  const first = Number(range[1])
  const last = range[2] ? Math.min(Number(range[2]), clip.length - 1) : clip.length - 1
  const body = clip.subarray(first, last + 1)
  return route.fulfill({
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${first}-${last}/${clip.length}` },
    body,
  })
}

const tile = (page: Page) => page.getByRole('link', { name: 'Open picture by Filmmaker' })

const plays = (page: Page, within: string) =>
  page.evaluate((selector) => {
    const film = document.querySelector<HTMLVideoElement>(`${selector} video`)
    return film !== null && !film.paused && film.readyState >= 2 && film.videoWidth === 64
  }, within)

// Videos play by themselves only where motion is wanted.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('a video shows its poster, plays on hover, and loads nothing before', async ({ page }) => {
  const asked = await withVideo(page)
  await page.goto('/gallery')
  const still = tile(page).locator('img')
  await expect(still).toBeVisible()
  await expect.poll(() => still.evaluate((node: HTMLImageElement) => node.naturalWidth)).toBe(64)
  expect(asked, 'the video loaded before it was played').toEqual([])
  await expect(tile(page).locator('video')).toHaveCount(0)

  await tile(page).hover()
  await expect.poll(() => plays(page, 'main a')).toBe(true)
  expect(asked[0], 'the player asks for parts').toMatch(/^bytes=0-/)
  await page.mouse.move(2, 2)
  await expect(tile(page).locator('video')).toHaveCount(0)

  await tile(page).focus()
  await expect.poll(() => plays(page, 'main a'), 'the keyboard plays it too').toBe(true)
})

test('reduced motion keeps a video still, also on its own page', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await withVideo(page)
  await page.goto('/gallery')
  await tile(page).hover()
  await expect(tile(page).locator('img')).toBeVisible()
  await expect(tile(page).locator('video')).toHaveCount(0)
  await tile(page).click()
  const film = page.getByRole('dialog', { name: 'Picture' }).locator('video')
  await expect.poll(() => film.evaluate((node: HTMLVideoElement) => node.readyState >= 1)).toBe(true)
  expect(await film.evaluate((node: HTMLVideoElement) => node.paused)).toBe(true)
})

test('an open video has a poster, controls and its length, and plays from a chosen position', async ({ page }) => {
  await withVideo(page)
  await page.goto('/gallery')
  await tile(page).click()
  const layer = page.getByRole('dialog', { name: 'Picture' })
  const film = layer.locator('video')
  await expect(film).toHaveAttribute('poster', /\/media\/optimal\/v1\.webm$/)
  await expect(film).toHaveAttribute('controls', '')
  await expect.poll(() => plays(page, '[role=dialog]')).toBe(true)
  const seen = await film.evaluate(async (node: HTMLVideoElement) => {
    node.pause()
    const sought = new Promise((done) => node.addEventListener('seeked', done, { once: true }))
    node.currentTime = 1.5
    await sought
    return { at: node.currentTime, long: node.duration, wide: node.videoWidth, error: node.error?.message ?? null }
  })
  expect(seen).toMatchObject({ at: 1.5, wide: 64, error: null })
  expect(seen.long).toBeCloseTo(2, 1)
  await page.keyboard.press('Escape')
  await expect(layer).toBeHidden()
})

test('a video without metadata shows its first frame instead of a poster', async ({ page }) => {
  const asked = await withVideo(page, null)
  await page.goto('/gallery')
  const film = tile(page).locator('video')
  await expect.poll(() => film.evaluate((node: HTMLVideoElement) => node.readyState >= 1)).toBe(true)
  expect(await film.evaluate((node: HTMLVideoElement) => [node.paused, node.preload])).toEqual([true, 'metadata'])
  expect(asked.length).toBeGreaterThan(0)
})
