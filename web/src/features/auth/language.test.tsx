import { screen, waitFor } from '@testing-library/react'
import i18next from 'i18next'
import { afterEach, describe, expect, it } from 'vitest'
import { browserLanguage, showLanguage } from '@/shared/i18n'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { useUser } from './api'

const Name = () => <p>{useUser()?.name}</p>

afterEach(() => showLanguage('en'))

describe('the language of the page', () => {
  it('is the one of the account, whatever the browser showed before', async () => {
    stubApi({ 'GET /api/auth': { body: user({ language: 'ko' }) } })
    renderApp(<Name />)
    expect(await screen.findByText('Mira')).toBeTruthy()
    await waitFor(() => expect(i18next.language).toBe('ko'))
  })

  it.each([
    [['ko-KR', 'en-US'], 'ko'],
    [['de-DE', 'ko', 'en'], 'ko'],
    [['en-GB', 'ko'], 'en'],
    [['fr'], 'en'],
  ] as const)('is the first supported preference of the browser for guests: %j', (preferred, language) => {
    expect(browserLanguage(preferred)).toBe(language)
  })
})
