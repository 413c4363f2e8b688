import { useMutation } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { userQuery } from '@/features/auth'
import { api } from '@/shared/api/client'
import { createQueryClient } from '@/shared/api/query-client'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { watchBans } from '../guards'
import { announcementsQuery } from './announcements'
import { BanBanner, PauseNotices } from './banners'

const ban = { since: '2026-11-20T08:00:00Z', until: null, reason: 'spam' }

describe('the ban banner', () => {
  it('shows end and reason to banned users only', () => {
    stubApi({})
    const client = createQueryClient()
    client.setQueryData(userQuery().queryKey, user({ ban }))
    const { unmount } = renderApp(<BanBanner />, { client })
    expect(screen.getByRole('region', { name: 'Your ban' }).textContent).toContain(
      'Your account is banned permanently. Reason: spam',
    )
    unmount()
    client.setQueryData(userQuery().queryKey, user())
    renderApp(<BanBanner />, { client })
    expect(screen.queryByRole('region')).toBeNull()
  })

  it('appears with the first action that is refused because of a ban', async () => {
    const details = { until: null, reason: 'spam' }
    stubApi({
      'GET /api/auth': { body: user({ ban }) },
      'POST /api/auth/logout': { status: 403, body: { code: 'ACCOUNT_BANNED', message: 'x', details } },
    })
    const client = createQueryClient()
    client.setQueryData(userQuery().queryKey, user())
    const stop = watchBans(client)
    function Act() {
      const act = useMutation({ mutationFn: () => api.POST('/api/auth/logout') })
      return <button type="button" aria-label="act" onClick={() => act.mutate()} />
    }
    renderApp(
      <>
        <BanBanner />
        <Act />
      </>,
      { client },
    )
    screen.getByRole('button', { name: 'act' }).click()
    await waitFor(() => expect(screen.getByRole('region', { name: 'Your ban' })).toBeTruthy())
    stop()
  })
})

const nothing = { workflows: [], title: { en: '', ko: '' }, text: { en: '', ko: '' } }

function open(path: string) {
  const client = createQueryClient()
  client.setQueryData(announcementsQuery().queryKey, {
    items: [],
    workflowAlert: nothing,
    galleryPause: { en: 'No pictures until noon', ko: '정오까지' },
    requestPause: { en: 'No new models today', ko: '오늘은 새 모델이 없습니다' },
  })
  renderApp(<PauseNotices />, { client, path })
}

it.each(['/apps', '/create/image'])('the notice about paused model installs is on pages to find models: %s', (path) => {
  open(path)
  expect(screen.getByRole('region', { name: 'Requests for models are suspended' }).textContent).toBe(
    'No new models today',
  )
  expect(screen.queryByText('No pictures until noon')).toBeNull()
})

it('the notice about paused publishing is in the gallery', () => {
  open('/gallery')
  expect(screen.getByText('No pictures until noon')).toBeTruthy()
  expect(screen.queryByText('No new models today')).toBeNull()
})
