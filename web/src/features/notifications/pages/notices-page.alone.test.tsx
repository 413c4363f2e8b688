import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { Bell } from '../components/bell'
import NoticesPage from './notices-page'

// The real editor needs a browser.
vi.mock('@/shared/ui/rich-text-editor', () => ({
  default: ({ label, onChange }: { label: string; onChange: (html: string) => void }) => (
    <textarea aria-label={label} onChange={(event) => onChange(event.target.value && `<p>${event.target.value}</p>`)} />
  ),
}))

const LIST = 'GET /api/admin/notice'
const notice = {
  _id: 'notice-1',
  titleEn: 'Pause tonight',
  titleKo: '오늘 밤 점검',
  contentEn: '<p>From ten to eleven.</p>',
  contentKo: '<p>10시부터 11시까지.</p>',
  createdAt: '2026-11-20T08:00:00Z',
}
const ADMIN = { 'GET /api/auth': { body: user({ roles: ['Customer', 'Admin'] }) } }

it('a notice is sent to all users in both languages, after a confirmation', async () => {
  const requests = stubApi({
    ...ADMIN,
    [LIST]: { body: { items: [], nextCursor: null } },
    'POST /api/admin/notice': { status: 201, body: notice },
  })
  renderApp(<NoticesPage />)
  const send = await screen.findByRole<HTMLButtonElement>('button', { name: 'Send to everyone' })
  expect(await screen.findByText('No notices yet')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Title in English'), 'Pause tonight')
  await userEvent.type(await screen.findByLabelText('Text in English'), 'From ten')
  await userEvent.type(screen.getByLabelText('Title in Korean'), '오늘 밤')
  expect(send.disabled).toBe(true)
  await userEvent.type(screen.getByLabelText('Text in Korean'), '10시부터')
  expect(send.disabled).toBe(false)
  await userEvent.click(send)
  const dialog = await screen.findByRole('dialog', { name: 'Send “Pause tonight”?' })
  expect(requests.some(({ method }) => method === 'POST')).toBe(false)
  await userEvent.click(within(dialog).getByRole('button', { name: 'Send to everyone' }))
  expect(await screen.findByText('From ten to eleven.')).toBeTruthy()
  expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
    titleEn: 'Pause tonight',
    titleKo: '오늘 밤',
    contentEn: '<p>From ten</p>',
    contentKo: '<p>10시부터</p>',
  })
  expect(screen.getByLabelText<HTMLInputElement>('Title in English').value).toBe('')
})

it('a notice is retracted after a confirmation, and can be read in the other language', async () => {
  stubApi({
    ...ADMIN,
    [LIST]: { body: { items: [notice], nextCursor: null } },
    'DELETE /api/admin/notice/notice-1': { status: 204 },
  })
  renderApp(<NoticesPage />)
  await userEvent.click(await screen.findByRole('radio', { name: '한국어' }))
  expect(await screen.findByText('10시부터 11시까지.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Withdraw “Pause tonight”' }))
  const dialog = await screen.findByRole('dialog', { name: 'Withdraw “Pause tonight”?' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('No notices yet')).toBeTruthy()
})

it("a retracted notice reduces one's own badge too", async () => {
  let count = 1
  stubApi({
    ...ADMIN,
    [LIST]: { body: { items: [notice], nextCursor: null } },
    'GET /api/general/notification-box/count-all': () => ({
      body: { count, byType: { COMMENT: 0, LIKE: 0, NOTICE: count, REQUESTS: 0, OTHERS: 0 } },
    }),
    'DELETE /api/admin/notice/notice-1': () => {
      count = 0
      return { status: 204 }
    },
  })
  renderApp(
    <>
      <Bell />
      <NoticesPage />
    </>,
  )
  expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeTruthy()
  await userEvent.click(await screen.findByRole('button', { name: 'Withdraw “Pause tonight”' }))
  const dialog = await screen.findByRole('dialog', { name: 'Withdraw “Pause tonight”?' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByRole('button', { name: 'Notifications' })).toBeTruthy()
})
