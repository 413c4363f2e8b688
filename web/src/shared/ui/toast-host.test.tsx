import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { ApiError, type ErrorCode } from '@/shared/api/errors'
import { showLanguage } from '@/shared/i18n'
import { renderApp } from '@/shared/testing/render'
import { useToast } from './toast'
// Fetched on demand by pages; here it is there before anybody waits for it.
import './toast-host'

const refused = (status: number, code: ErrorCode, details?: unknown) =>
  new ApiError(status, { code, message: `server words of ${code}`, details, requestId: 'r-77' })
const ban = refused(403, 'ACCOUNT_BANNED', { until: null, reason: 'spam' })
const BAN = 'Your account is banned for good. Reason: spam'

const told = async (title: string, cause: unknown) => {
  renderApp(null)
  useToast().error(title, cause)
  return (await screen.findByText(title)).closest('[role=alert]') as HTMLElement
}

afterEach(() => showLanguage('en'))

describe('a notice that something failed', () => {
  it('says why to somebody who is banned', async () => {
    expect((await told('It failed for a ban.', ban)).textContent).toContain(BAN)
  })

  it('does not say twice what its words say already', async () => {
    const notice = await told(`Not done: ${BAN}`, ban)
    expect(notice.textContent?.split('Reason: spam')).toHaveLength(2)
  })

  it('says what is missing, in the language of the page', async () => {
    await showLanguage('ko')
    const notice = await told('요청에 실패했습니다.', refused(403, 'STEALTH_MODE_REQUIRED'))
    expect(notice.textContent).toContain('스텔스 모드가 포함된 요금제가 필요합니다')
    expect(notice.textContent).not.toContain('server words')
  })

  it('says in the words of the operators that the gallery is paused', async () => {
    const pause = refused(422, 'GALLERY_PAUSED', { en: 'Back at noon', ko: '정오까지' })
    expect((await told('It is not public.', pause)).textContent).toContain('Back at noon')
  })

  it('goes when what it says is over', async () => {
    renderApp(null)
    useToast().error('It was refused.', undefined, 'about-this')
    expect(await screen.findByText('It was refused.')).toBeTruthy()
    useToast().drop('about-this')
    await waitFor(() => expect(screen.queryByText('It was refused.')).toBeNull())
  })

  it('names the request where nobody knows why', async () => {
    const notice = await told('It failed for no reason.', refused(500, 'INTERNAL'))
    expect(notice.textContent).toContain('r-77')
  })
})
