import { useMutation } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { watchBans } from '@/app/guards'
import { userQuery } from '@/features/auth'
import { api } from '@/shared/api/client'
import { createQueryClient } from '@/shared/api/query-client'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { BanBanner } from './ban-banner'

const ban = { since: '2026-11-20T08:00:00Z', until: null, reason: 'spam' }

describe('the banner of a ban', () => {
  it('says for how long and why, and is not there for others', () => {
    stubApi({})
    const client = createQueryClient()
    client.setQueryData(userQuery().queryKey, user({ ban }))
    const { unmount } = renderApp(<BanBanner />, { client })
    expect(screen.getByRole('region', { name: 'Your ban' }).textContent).toContain(
      'Your account is banned for good. Reason: spam',
    )
    unmount()
    client.setQueryData(userQuery().queryKey, user())
    renderApp(<BanBanner />, { client })
    expect(screen.queryByRole('region')).toBeNull()
  })

  it('comes up with the first act that is refused for a ban', async () => {
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
