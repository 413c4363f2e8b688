import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { Notification } from '@/shared/api/types'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { useModal } from '@/shared/ui/modals'
import { notification } from '../testing'
import { NotificationRow } from './notification-row'

const request = (change: Partial<Notification>) =>
  notification({
    type: 'REQUESTS',
    user: null,
    workflow: null,
    comment: null,
    categoryType: null,
    title: { workflow: 'Face model', count: null },
    content: null,
    ...change,
  })

function Opened() {
  const notice = useModal('notice')
  return notice ? <p>{`${notice.title}: ${notice.html}`}</p> : null
}

const show = (change: Partial<Notification>) =>
  renderApp(
    <>
      <NotificationRow notification={request(change)} />
      <Opened />
    </>,
  )

it('a request notification without more text is no button, and can be marked as read', async () => {
  const requests = stubApi({ 'PATCH /api/general/notification-box/check': { body: { checkedCount: 1 } } })
  show({})
  const line = screen.getByText('News about your request: Face model')
  expect(line.closest('a, button')).toBeNull()
  await userEvent.click(line)
  expect(requests).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Mark as read' }))
  expect(requests.map(({ body }) => body)).toEqual([{ ids: [{ id: 'n-1', type: 'REQUESTS' }] }])
})

it('a request notification with more text opens it as plain text', async () => {
  stubApi({ 'PATCH /api/general/notification-box/check': { body: { checkedCount: 1 } } })
  show({ content: 'It is <b>installed</b>' })
  await userEvent.click(screen.getByRole('button', { name: /It is <b>installed<\/b>/ }))
  const said = 'News about your request: Face model: <p>It is &lt;b&gt;installed&lt;/b&gt;</p>'
  expect(await screen.findByText(said)).toBeTruthy()
})
