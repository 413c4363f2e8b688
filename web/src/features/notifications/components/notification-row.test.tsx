import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { Notification } from '@/shared/api/types'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { useModal } from '@/shared/ui/modals'
import { NotificationRow } from './notification-row'

const told = (change: Partial<Notification>): Notification => ({
  _id: 'n-1',
  type: 'REQUESTS',
  user: null,
  workflow: null,
  outputAsset: null,
  comment: null,
  categoryType: null,
  title: { workflow: 'Face model', count: null },
  recomment: false,
  content: null,
  othersType: null,
  createdAt: '2026-11-20T08:00:00Z',
  checkedAt: null,
  ...change,
})

function Opened() {
  const notice = useModal('notice')
  return notice ? <p>{`${notice.title}: ${notice.html}`}</p> : null
}

const show = (change: Partial<Notification>) =>
  renderApp(
    <>
      <NotificationRow told={told(change)} />
      <Opened />
    </>,
  )

it('news of a request that say no more than their line are no button, and can be marked as read', async () => {
  const requests = stubApi({ 'PATCH /api/general/notification-box/check': { body: { checkedCount: 1 } } })
  show({})
  const line = screen.getByText('News about your request: Face model')
  expect(line.closest('a, button')).toBeNull()
  await userEvent.click(line)
  expect(requests).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Mark as read' }))
  expect(requests.map(({ body }) => body)).toEqual([{ ids: [{ id: 'n-1', type: 'REQUESTS' }] }])
})

it('news of a request that say more open it above the page, as text', async () => {
  stubApi({ 'PATCH /api/general/notification-box/check': { body: { checkedCount: 1 } } })
  show({ content: 'It is <b>installed</b>' })
  await userEvent.click(screen.getByRole('button', { name: /It is <b>installed<\/b>/ }))
  const said = 'News about your request: Face model: <p>It is &lt;b&gt;installed&lt;/b&gt;</p>'
  expect(await screen.findByText(said)).toBeTruthy()
})
