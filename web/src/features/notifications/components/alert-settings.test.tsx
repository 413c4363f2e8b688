import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import UnsubscribePage from '../pages/unsubscribe-page'
import AlertSettings from './alert-settings'

const SETTINGS = '/api/general/notification-settings'
const ME = { 'GET /api/auth': { body: user() } }

it('a type is switched at once, and rolled back when the server refuses', async () => {
  const requests = stubApi({
    ...ME,
    [`GET ${SETTINGS}`]: { body: { mailedTypes: ['NOTICE'] } },
    [`PATCH ${SETTINGS}`]: { status: 500, body: { code: 'INTERNAL', message: 'x' } },
  })
  renderApp(<AlertSettings />)
  const likes = await screen.findByRole('switch', { name: 'Likes' })
  expect(screen.getByRole('switch', { name: 'Notices' }).getAttribute('aria-checked')).toBe('true')
  await userEvent.click(likes)
  await waitFor(() =>
    expect(requests.find(({ method }) => method === 'PATCH')?.body).toEqual({ mailedTypes: ['LIKE', 'NOTICE'] }),
  )
  await waitFor(() => expect(likes.getAttribute('aria-checked')).toBe('false'))
})

it('the layout is complete before the switches are loaded', async () => {
  let answer = () => {}
  const asked = new Promise<void>((done) => {
    answer = done
  })
  stubApi({
    ...ME,
    [`GET ${SETTINGS}`]: async () => {
      await asked
      return { body: { mailedTypes: ['NOTICE'] } }
    },
  })
  renderApp(<AlertSettings />)
  const rows = await screen.findAllByRole('listitem')
  expect(screen.getByText('Likes')).toBeTruthy()
  expect(screen.queryByRole('switch')).toBeNull()
  answer()
  expect(await screen.findAllByRole('switch')).toHaveLength(rows.length)
  expect(screen.getAllByRole('listitem')).toEqual(rows)
})

it('a double press on a switch counts once', async () => {
  const requests = stubApi({
    ...ME,
    [`GET ${SETTINGS}`]: { body: { mailedTypes: [] } },
    [`PATCH ${SETTINGS}`]: { body: { mailedTypes: ['LIKE'] } },
  })
  renderApp(<AlertSettings />)
  const likes = await screen.findByRole('switch', { name: 'Likes' })
  await userEvent.dblClick(likes)
  await waitFor(() => expect(likes.getAttribute('aria-checked')).toBe('true'))
  expect(requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
    { mailedTypes: ['LIKE'] },
  ])
})

it('an unsubscribe link asks first, and removes its code from the address', async () => {
  const requests = stubApi({ ...ME, 'POST /api/public/unsubscribe': { status: 204 } })
  window.location.hash = '#code=abc'
  renderApp(<UnsubscribePage />)
  const stop = await screen.findByRole('button', { name: 'Stop the e-mails' })
  expect(window.location.hash).toBe('')
  expect(requests.some(({ method }) => method === 'POST')).toBe(false)
  await userEvent.click(stop)
  expect(await screen.findByText(/You will get no more e-mails/)).toBeTruthy()
  expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({ code: 'abc' })
  expect(screen.getByRole('link', { name: 'Go to the e-mail alerts' }).getAttribute('href')).toBe(
    '/account#notifications',
  )
})

it('a used unsubscribe link says so', async () => {
  const refused = { status: 422, body: { code: 'UNSUBSCRIBE_LINK_INVALID', message: 'x' } }
  stubApi({ 'GET /api/auth': { status: 401 }, 'POST /api/public/unsubscribe': refused })
  window.location.hash = '#code=abc'
  renderApp(<UnsubscribePage />)
  await userEvent.click(await screen.findByRole('button', { name: 'Stop the e-mails' }))
  expect((await screen.findByRole('alert')).textContent).toContain('no longer works')
})
