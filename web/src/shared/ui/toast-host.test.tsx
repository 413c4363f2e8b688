import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { ApiError, type ErrorCode } from '@/shared/api/errors'
import { showLanguage } from '@/shared/i18n'
import { renderApp } from '@/shared/testing/render'
import { toast } from './toast'

const refused = (status: number, code: ErrorCode, details?: unknown) =>
  new ApiError(status, { code, message: `server words of ${code}`, details, requestId: 'r-77' })
const ban = refused(403, 'ACCOUNT_BANNED', { until: null, reason: 'spam' })
const BAN = 'Your account is banned permanently. Reason: spam'

const failureToast = async (title: string, cause: unknown) => {
  renderApp(null)
  toast.error(title, cause)
  return (await screen.findByText(title)).closest('[role=alert]') as HTMLElement
}

afterEach(() => showLanguage('en'))

describe('a failure toast', () => {
  it('shows the reason of a ban', async () => {
    expect((await failureToast('It failed for a ban.', ban)).textContent).toContain(BAN)
  })

  it('does not repeat a reason that its title contains', async () => {
    const card = await failureToast(`Not done: ${BAN}`, ban)
    expect(card.textContent?.split('Reason: spam')).toHaveLength(2)
  })

  it('shows the reason in the language of the page', async () => {
    await showLanguage('ko')
    const card = await failureToast('요청에 실패했습니다.', refused(403, 'STEALTH_MODE_REQUIRED'))
    expect(card.textContent).toContain('스텔스 모드가 포함된 요금제가 필요합니다')
    expect(card.textContent).not.toContain('server words')
  })

  it("shows the operators' text about a paused gallery", async () => {
    const pause = refused(422, 'GALLERY_PAUSED', { en: 'Back at noon', ko: '정오까지' })
    expect((await failureToast('It is not public.', pause)).textContent).toContain('Back at noon')
  })

  it('is removed by its subject', async () => {
    renderApp(null)
    toast.error('It was refused.', undefined, 'about-this')
    expect(await screen.findByText('It was refused.')).toBeTruthy()
    toast.drop('about-this')
    await waitFor(() => expect(screen.queryByText('It was refused.')).toBeNull())
  })

  it('shows the request id if the reason is unknown', async () => {
    const card = await failureToast('It failed for no reason.', refused(500, 'INTERNAL'))
    expect(card.textContent).toContain('r-77')
  })
})
