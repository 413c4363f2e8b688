import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { CommunityVideo } from '@/shared/api/types'
import { asset, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import AdminVideosPage from './admin-videos-page'
import VideosPage from './videos-page'

const LIST = 'GET /api/public/youtube-community/list'
const ADMIN_LIST = 'GET /api/admin/youtube-community/list'
const ADD = 'POST /api/admin/youtube-community'

const video = (change: Partial<CommunityVideo> = {}): CommunityVideo => ({
  _id: 'v-1',
  name: 'Silk in twelve nodes',
  author_name: 'Verdi Lab',
  authorUrl: null,
  youtubeCreatedAt: '2025-03-09T00:00:00Z',
  html: '<iframe src="https://evil.example/"></iframe>',
  url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  youtubeId: 'dQw4w9WgXcQ',
  frameUrl: 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
  poster: asset(),
  isAvailable: true,
  checkedAt: '2026-01-01T00:00:00Z',
  createdAt: '2026-01-01T00:00:00Z',
  ...change,
})

describe('community videos', () => {
  it('contact YouTube only after play was pressed', async () => {
    stubApi({ [LIST]: { body: { items: [video()], nextCursor: null } } })
    const { container } = renderApp(<VideosPage />)
    const play = await screen.findByRole('button', { name: 'Play Silk in twelve nodes' })
    expect(container.querySelector('iframe')).toBeNull()
    expect(container.querySelector('img')?.getAttribute('src')).toBe('/media/raw/abc.png')
    await userEvent.click(play)
    const frame = container.querySelector('iframe')
    expect(frame?.getAttribute('src')).toBe('https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&rel=0')
    expect(frame?.getAttribute('sandbox')).not.toContain('allow-top-navigation')
    expect(container.innerHTML).not.toContain('evil.example')
  })

  it('show the same day in every time zone', async () => {
    vi.stubEnv('TZ', 'America/Los_Angeles')
    stubApi({ [LIST]: { body: { items: [video()], nextCursor: null } } })
    renderApp(<VideosPage />)
    expect(await screen.findByText('2025.03.09')).toBeTruthy()
    vi.unstubAllEnvs()
  })

  it('reload a preview once when it fails', async () => {
    stubApi({ [LIST]: { body: { items: [video()], nextCursor: null } } })
    const { container } = renderApp(<VideosPage />)
    await screen.findByRole('button', { name: 'Play Silk in twelve nodes' })
    const first = container.querySelector('img') as HTMLImageElement
    fireEvent.error(first)
    await waitFor(() => expect(container.querySelector('img')).not.toBe(first))
    expect(container.querySelector('img')?.getAttribute('src')).toBe('/media/raw/abc.png')
  })

  it('are searched by keywords kept in the address', async () => {
    const requests = stubApi({ [LIST]: { body: { items: [], nextCursor: null } } })
    const { router } = renderApp(<VideosPage />)
    await userEvent.type(await screen.findByRole('searchbox'), '사진{Enter}')
    expect(await screen.findByText('No video matches')).toBeTruthy()
    expect(new URLSearchParams(router.state.location.search).get('keyword')).toBe('사진')
    expect(new URLSearchParams(requests.at(-1)?.search).get('keyword')).toBe('사진')
    await userEvent.click(screen.getByRole('button', { name: 'Show all videos' }))
    await waitFor(() => expect(router.state.location.search).toBe(''))
  })
})

describe('the admin page of videos', () => {
  const admin = { body: user({ roles: ['Customer', 'Admin'] }) }

  it('adds a video and shows what is wrong with an address', async () => {
    let asked = 0
    const requests = stubApi({
      'GET /api/auth': admin,
      [ADMIN_LIST]: { body: { items: [], nextCursor: null } },
      [ADD]: () => {
        asked += 1
        return asked === 1
          ? { status: 409, body: { code: 'VIDEO_EXISTS', message: 'x' } }
          : { status: 201, body: video() }
      },
    })
    renderApp(<AdminVideosPage />)
    await userEvent.type(await screen.findByLabelText('YouTube address'), 'youtu.be/dQw4w9WgXcQ')
    await userEvent.type(screen.getByLabelText('Published on'), '2025-03-09')
    await userEvent.click(screen.getByRole('button', { name: 'Add video' }))
    expect((await screen.findByRole('alert')).textContent).toBe('This video is already in the list.')
    await userEvent.click(screen.getByRole('button', { name: 'Add video' }))
    expect(await screen.findByText('Added: Silk in twelve nodes')).toBeTruthy()
    expect(requests.filter((request) => request.method === 'POST').at(-1)?.body).toEqual({
      url: 'youtu.be/dQw4w9WgXcQ',
      youtubeCreatedAt: '2025-03-09T00:00:00Z',
    })
  })

  it('does not say that there are no videos when a search finds none', async () => {
    stubApi({ 'GET /api/auth': admin, [ADMIN_LIST]: { body: { items: [], nextCursor: null } } })
    const { router } = renderApp(<AdminVideosPage />, { path: '/admin/list/community-videos?keyword=silk' })
    expect(await screen.findByText('No video matches')).toBeTruthy()
    expect(screen.queryByText('No videos yet')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Show all videos' }))
    await waitFor(() => expect(router.state.location.search).toBe(''))
  })

  it('marks removed videos, and asks before it deletes one', async () => {
    const requests = stubApi({
      'GET /api/auth': admin,
      [ADMIN_LIST]: { body: { items: [video({ isAvailable: false })], nextCursor: null } },
      'DELETE /api/admin/youtube-community/v-1': { status: 204 },
    })
    renderApp(<AdminVideosPage />)
    expect(await screen.findByText('Gone from YouTube')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Remove Silk in twelve nodes' }))
    expect(requests.some((request) => request.method === 'DELETE')).toBe(false)
    await userEvent.click(await screen.findByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(requests.some((request) => request.method === 'DELETE')).toBe(true))
  })
})
