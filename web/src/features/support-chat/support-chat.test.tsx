import { act, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { userQuery } from '@/features/auth'
import { createQueryClient } from '@/shared/api/query-client'
import type { User } from '@/shared/api/types'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import SupportChat from './support-chat'

const SCRIPT = 'https://chat.example/plugin.js'
const member = { pluginKey: 'plugin', scriptUrl: SCRIPT, memberId: 'user-1', memberHash: 'abc' }
const OFFERED = { 'GET /api/auth/me/chat': { body: { member } } }

/** The vendor's script: takes over the queued calls and all that follow. */
function arrive(): unknown[][] {
  const calls: unknown[][] = [...(window.ChannelIO?.q ?? [])]
  window.ChannelIO = (...call: unknown[]) => calls.push(call)
  return calls
}

const scripts = () => [...document.head.querySelectorAll('script')].filter((script) => script.src === SCRIPT)

function show(who: User | null, handlers: Parameters<typeof stubApi>[0] = OFFERED) {
  const requests = stubApi(handlers)
  const client = createQueryClient()
  client.setQueryData(userQuery().queryKey, who)
  renderApp(<SupportChat />, { client })
  return { requests, client }
}

describe('the support chat', () => {
  beforeEach(() => {
    // jsdom has no requestIdleCallback.
    window.requestIdleCallback = (rest) => {
      rest({ didTimeout: false, timeRemaining: () => 1 })
      return 1
    }
    window.cancelIdleCallback = () => undefined
  })
  afterEach(() => {
    for (const script of scripts()) script.remove()
    window.ChannelIO = undefined
  })

  it('boots with an identity signed by the server', async () => {
    show(user({ subscriptions: [{ name: 'Pro' }] }))
    await waitFor(() => expect(scripts()).toHaveLength(1))
    expect(arrive()).toEqual([
      [
        'boot',
        {
          pluginKey: 'plugin',
          memberId: 'user-1',
          memberHash: 'abc',
          language: 'en',
          appearance: 'dark',
          profile: { name: 'Mira', nameTag: '#1234', email: 'mira@example.com', plan: 'Pro' },
        },
      ],
    ])
  })

  it('gets profile changes, and ends on sign-out', async () => {
    const { client } = show(user())
    await waitFor(() => expect(scripts()).toHaveLength(1))
    const calls = arrive()
    act(() => client.setQueryData(userQuery().queryKey, user({ name: 'Mina' })))
    await waitFor(() => expect(calls).toHaveLength(2))
    expect(calls[1]?.[0]).toBe('updateUser')
    expect(JSON.stringify(calls[1])).toContain('Mina')
    act(() => client.setQueryData(userQuery().queryKey, null))
    await waitFor(() => expect(calls.at(-1)).toEqual(['shutdown']))
    expect(scripts()).toHaveLength(1)
  })

  it('is not requested for guests', async () => {
    const { requests } = show(null)
    await act(async () => undefined)
    expect(requests).toHaveLength(0)
    expect(scripts()).toHaveLength(0)
  })

  it('loads nothing if not configured', async () => {
    const { requests } = show(user(), { 'GET /api/auth/me/chat': { body: { member: null } } })
    await waitFor(() => expect(requests).toHaveLength(1))
    await act(async () => undefined)
    expect(scripts()).toHaveLength(0)
    expect(window.ChannelIO).toBeUndefined()
  })
})
