import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Notification, NotificationType } from '@/shared/api/types'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { notification as anyNotification } from '../testing'
import { Bell } from './bell'

const counts = (comments: number, likes: number) => ({
  body: { count: comments + likes, byType: { COMMENT: comments, LIKE: likes, NOTICE: 0, REQUESTS: 0, OTHERS: 0 } },
})
const notification = (id: string, type: NotificationType, change: Partial<Notification> = {}) =>
  anyNotification({ _id: id, type, ...(type !== 'COMMENT' && { comment: null, content: null }), ...change })
const COUNT = 'GET /api/general/notification-box/count-all'
const LIST = 'GET /api/general/notification-box/list/ALL/20'
const BOTH = { body: { items: [notification('n-1', 'COMMENT'), notification('n-2', 'LIKE')] } }

class Source extends EventTarget {
  static open: Source[] = []
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
    Source.open.push(this)
  }
  close() {
    Source.open = Source.open.filter((one) => one !== this)
  }
  tell(count: number) {
    this.dispatchEvent(new MessageEvent('count', { data: JSON.stringify({ count }) }))
  }
}

beforeEach(() => vi.stubGlobal('EventSource', Source))
afterEach(() => {
  Source.open = []
  vi.restoreAllMocks()
})

describe('the bell', () => {
  it('refetches the inbox when the count changes', async () => {
    let unread = counts(0, 0)
    const requests = stubApi({ [COUNT]: () => unread })
    renderApp(<Bell />)
    expect(await screen.findByRole('button', { name: 'Notifications' })).toBeTruthy()
    await waitFor(() => expect(requests).toHaveLength(1))
    Source.open[0]?.tell(0)
    unread = counts(2, 1)
    Source.open[0]?.tell(3)
    expect(await screen.findByRole('button', { name: 'Notifications, 3 unread' })).toBeTruthy()
    expect(requests).toHaveLength(2)
  })

  it('closes the stream while the page is hidden', async () => {
    stubApi({ [COUNT]: counts(0, 0) })
    renderApp(<Bell />)
    await waitFor(() => expect(Source.open).toHaveLength(1))
    const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    expect(Source.open).toHaveLength(0)
    state.mockReturnValue('visible')
    document.dispatchEvent(new Event('visibilitychange'))
    expect(Source.open).toHaveLength(1)
  })
})

describe('the inbox', () => {
  it('filters unread notifications by type, and marks one as seen when it is opened', async () => {
    let unread = counts(1, 1)
    const requests = stubApi({
      [COUNT]: () => unread,
      [LIST]: BOTH,
      'PATCH /api/general/notification-box/check': () => {
        unread = counts(0, 1)
        return { body: { checkedCount: 1 } }
      },
    })
    const { router } = renderApp(<Bell />)
    await userEvent.click(await screen.findByRole('button', { name: 'Notifications, 2 unread' }))
    const box = await screen.findByRole('dialog', { name: 'Notifications' })
    expect(await within(box).findByRole('button', { name: 'Comments 1 unread' })).toBeTruthy()
    const row = await within(box).findByRole('link', { name: /Mira commented on “Silk”/ })
    expect(row.getAttribute('href')).toBe('/workflows/w-1?comment=c-1')
    await userEvent.click(row)
    expect(requests.find(({ method }) => method === 'PATCH')?.body).toEqual({ ids: [{ id: 'n-1', type: 'COMMENT' }] })
    expect(router.state.location.pathname).toBe('/workflows/w-1')
    expect(screen.queryByRole('dialog', { name: 'Notifications' })).toBeNull()
    expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeTruthy()
  })

  it('marks all as seen, and rolls back when the server refuses', async () => {
    stubApi({
      [COUNT]: counts(1, 1),
      [LIST]: BOTH,
      'PATCH /api/general/notification-box/check-all/ALL': { status: 500, body: { code: 'INTERNAL', message: 'x' } },
    })
    renderApp(<Bell />)
    await userEvent.click(await screen.findByRole('button', { name: 'Notifications, 2 unread' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Mark all as read' }))
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Mark as read' })).toHaveLength(2))
    expect(await screen.findByRole('button', { name: 'Notifications, 2 unread' })).toBeTruthy()
  })

  it('refetches the badge, which excludes retracted notices', async () => {
    let unread = counts(1, 1)
    stubApi({ [COUNT]: () => unread, [LIST]: { body: { items: [notification('n-1', 'COMMENT')] } } })
    renderApp(<Bell />)
    const bell = await screen.findByRole('button', { name: 'Notifications, 2 unread' })
    unread = counts(1, 0)
    await userEvent.click(bell)
    expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeTruthy()
  })

  it('refetches the badge on window focus', async () => {
    let unread = counts(1, 1)
    stubApi({ [COUNT]: () => unread })
    renderApp(<Bell />)
    await screen.findByRole('button', { name: 'Notifications, 2 unread' })
    unread = counts(0, 0)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    window.dispatchEvent(new Event('visibilitychange'))
    expect(await screen.findByRole('button', { name: 'Notifications' })).toBeTruthy()
  })

  it('closes on Esc and returns the focus to the bell', async () => {
    stubApi({ [COUNT]: counts(0, 0), [LIST]: { body: { items: [] } } })
    renderApp(<Bell />)
    const bell = await screen.findByRole('button', { name: 'Notifications' })
    await userEvent.click(bell)
    expect(await screen.findByText('Nothing here yet')).toBeTruthy()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog', { name: 'Notifications' })).toBeNull()
    expect(document.activeElement).toBe(bell)
  })
})
