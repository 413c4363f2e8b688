import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Promotion } from '@/shared/api/types'
import { bannerPromotion, promotion } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import AdminPromotionsPage from './admin-promotions-page'

const LIST = 'GET /api/admin/promotion'
const CREATE = 'POST /api/admin/promotion'
const CHANGE = 'PATCH /api/admin/promotion/promotion-1'
const listed = (...items: Promotion[]) => ({ body: { items, nextCursor: null } })
const page = <AdminPromotionsPage />
const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr') as HTMLElement)
const writes = (requests: ReturnType<typeof stubApi>) =>
  requests.filter(({ method }) => method !== 'GET').map(({ body }) => body)

async function openForm() {
  await userEvent.click(await screen.findByRole('button', { name: 'New promotion' }))
  return within(await screen.findByRole('dialog', { name: 'New promotion' }))
}

it('the promotions are listed with their offer and state', async () => {
  stubApi({ [LIST]: listed(promotion(), bannerPromotion({ isActive: false, startsAt: '2999-01-01T00:00:00Z' })) })
  renderApp(page)
  const bonus = await rowOf('First pack')
  expect(bonus.getByText('20% more credits with the first pack')).toBeTruthy()
  expect(bonus.getByRole('switch', { name: 'First pack is active' }).getAttribute('aria-checked')).toBe('true')
  const banner = await rowOf('Spring banner')
  expect(banner.getByText('Banner: Spring is here')).toBeTruthy()
  expect(banner.getByText('Not started')).toBeTruthy()
  expect(banner.getByRole('switch').getAttribute('aria-checked')).toBe('false')
})

it('an error can be retried', async () => {
  let isBroken = true
  const broken = { status: 500, body: { code: 'INTERNAL', message: 'broken' } }
  stubApi({ [LIST]: () => (isBroken ? broken : listed(promotion())) })
  renderApp(page)
  const retry = await screen.findByRole('button', { name: 'Try Again' })
  isBroken = false
  await userEvent.click(retry)
  expect(await rowOf('First pack')).toBeTruthy()
})

describe('a new promotion', () => {
  it('is a bonus with a percentage', async () => {
    let items: Promotion[] = []
    const requests = stubApi({
      [LIST]: () => listed(...items),
      [CREATE]: () => {
        items = [promotion()]
        return { status: 201, body: promotion() }
      },
    })
    renderApp(page)
    expect(await screen.findByText('No promotions yet')).toBeTruthy()
    const form = await openForm()
    await userEvent.click(form.getByRole('radio', { name: 'First purchase bonus' }))
    const send = form.getByRole('button', { name: 'Create promotion' })
    await userEvent.click(send)
    expect(form.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'Enter a name.',
      'Enter a whole number from 1 to 100.',
    ])
    await userEvent.type(form.getByLabelText('Name'), 'First pack')
    await userEvent.type(form.getByLabelText('Bonus in percent'), '20')
    await userEvent.dblClick(send)
    expect(await screen.findByText('“First pack” was created')).toBeTruthy()
    expect(await rowOf('First pack')).toBeTruthy()
    expect(writes(requests)).toEqual([
      { name: 'First pack', kind: 'FirstPurchase', startsAt: null, endsAt: null, percent: 20 },
    ])
  })

  it('is a banner with texts in both languages', async () => {
    const requests = stubApi({ [LIST]: listed(), [CREATE]: { status: 201, body: bannerPromotion() } })
    renderApp(page)
    const form = await openForm()
    await userEvent.type(form.getByLabelText('Name'), 'Spring banner')
    await userEvent.click(form.getByRole('radio', { name: 'No paid plan' }))
    await userEvent.type(form.getByLabelText('Text in English'), 'Spring is here')
    await userEvent.type(form.getByLabelText('Text in Korean'), '봄맞이 행사 중입니다')
    await userEvent.type(form.getByLabelText('Link text in English'), 'See the packs')
    await userEvent.type(form.getByLabelText('Link text in Korean'), '크레딧 보기')
    await userEvent.clear(form.getByLabelText('Link'))
    await userEvent.type(form.getByLabelText('Link'), '//example.com')
    await userEvent.click(form.getByRole('button', { name: 'Create promotion' }))
    expect(form.getByRole('alert').textContent).toBe('Enter a path that begins with one /, without spaces.')
    await userEvent.clear(form.getByLabelText('Link'))
    await userEvent.type(form.getByLabelText('Link'), '/pricing')
    await userEvent.click(form.getByRole('button', { name: 'Create promotion' }))
    expect(await screen.findByText('“Spring banner” was created')).toBeTruthy()
    expect(writes(requests)).toEqual([
      {
        name: 'Spring banner',
        kind: 'Banner',
        startsAt: null,
        endsAt: null,
        audience: 'WithoutPaidPlan',
        textEn: 'Spring is here',
        textKo: '봄맞이 행사 중입니다',
        labelEn: 'See the packs',
        labelKo: '크레딧 보기',
        link: '/pricing',
      },
    ])
  })

  it('keeps what was typed if it is refused, or if the dialog is closed', async () => {
    const details = [{ field: 'percent', message: 'too much' }]
    const body = { code: 'VALIDATION_FAILED', message: 'x', details }
    stubApi({ [LIST]: listed(), [CREATE]: { status: 400, body } })
    renderApp(page)
    const form = await openForm()
    await userEvent.click(form.getByRole('radio', { name: 'First purchase bonus' }))
    await userEvent.type(form.getByLabelText('Name'), 'First pack')
    await userEvent.type(form.getByLabelText('Bonus in percent'), '100')
    await userEvent.click(form.getByRole('button', { name: 'Create promotion' }))
    expect(await form.findByText('too much')).toBeTruthy()
    expect(document.activeElement).toBe(form.getByLabelText('Bonus in percent'))
    await userEvent.click(form.getByRole('button', { name: 'Cancel' }))
    expect((await openForm()).getByLabelText<HTMLInputElement>('Name').value).toBe('First pack')
  })
})

describe('a promotion', () => {
  it('is switched off once by a double click', async () => {
    const requests = stubApi({ [LIST]: listed(promotion()), [CHANGE]: { body: promotion({ isActive: false }) } })
    renderApp(page)
    const button = await screen.findByRole('switch', { name: 'First pack is active' })
    await userEvent.dblClick(button)
    expect(await screen.findByText('“First pack” is inactive')).toBeTruthy()
    expect(button.getAttribute('aria-checked')).toBe('false')
    expect(writes(requests)).toEqual([{ isActive: false }])
  })

  it('is edited without its kind: only what changed is sent', async () => {
    const requests = stubApi({ [LIST]: listed(promotion()), [CHANGE]: { body: promotion({ percent: 30 }) } })
    renderApp(page)
    await userEvent.click(await screen.findByRole('button', { name: 'Edit First pack' }))
    const form = within(await screen.findByRole('dialog', { name: 'Edit First pack' }))
    const save = form.getByRole<HTMLButtonElement>('button', { name: 'Save' })
    expect(save.disabled).toBe(true)
    expect(form.queryByRole('radio')).toBeNull()
    await userEvent.clear(form.getByLabelText('Bonus in percent'))
    await userEvent.type(form.getByLabelText('Bonus in percent'), '30')
    await userEvent.click(save)
    expect(await screen.findByText('“First pack” was changed')).toBeTruthy()
    expect(await screen.findByText('30% more credits with the first pack')).toBeTruthy()
    expect(writes(requests)).toEqual([{ percent: 30 }])
  })
})
