import { screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { Operator } from '@/shared/api/types'
import { showLanguage } from '@/shared/i18n'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { type LegalText, sectionsFor } from '../model'
import privacyEn from '../texts/privacy-en.json'
import privacyKo from '../texts/privacy-ko.json'
import termsEn from '../texts/terms-en.json'
import termsKo from '../texts/terms-ko.json'
import PrivacyPage from './privacy-page'
import TermsPage from './terms-page'

const operator = (change: Partial<Operator> = {}): Operator => ({
  name: 'Silk Works',
  email: 'help@example.com',
  termsVersion: '2026-11-21',
  outputDays: 14,
  hasChat: false,
  ...change,
})

const stubOperator = (change: Partial<Operator> = {}) =>
  stubApi({ 'GET /api/public/operator': { body: operator(change) } })

const shapeOf = (text: LegalText) =>
  text.sections.map(({ id, when, body }) => ({
    id,
    when,
    body: body.map((block) => (typeof block === 'string' ? 'paragraph' : block.length)),
    holes:
      JSON.stringify(body)
        .match(/\{\{\w+\}\}/g)
        ?.sort() ?? [],
  }))

describe('the legal texts', () => {
  afterEach(() => showLanguage('en'))

  it('name operator, retention and contact', async () => {
    stubOperator()
    renderApp(<TermsPage />)
    expect(await screen.findByRole('heading', { name: 'What this is' })).toBeTruthy()
    const text = document.body.textContent ?? ''
    expect(text).toContain('Silk Works')
    expect(text).toContain('deleted 14 days after')
    expect(text).not.toContain('{{')
    expect(screen.getByRole('link', { name: 'help@example.com' }).getAttribute('href')).toBe('mailto:help@example.com')
    expect(screen.getByRole('link', { name: 'Privacy policy' }).getAttribute('href')).toBe('/privacy')
    expect(screen.getByText('2026.11.21').getAttribute('datetime')).toBe('2026-11-21')
  })

  it('link to each of their sections', async () => {
    stubOperator()
    renderApp(<PrivacyPage />)
    const contents = within(await screen.findByRole('navigation', { name: 'Contents' })).getAllByRole('link')
    expect(contents.length).toBeGreaterThan(10)
    for (const link of contents) {
      const section = document.getElementById(link.getAttribute('href')?.slice(1) ?? '')
      expect(section?.querySelector('h2')?.textContent).toBe(link.textContent)
    }
  })

  it('exist in Korean, and omit a missing address', async () => {
    stubOperator({ email: null })
    await showLanguage('ko')
    renderApp(<PrivacyPage />)
    expect(await screen.findByRole('heading', { name: '수집하는 정보' })).toBeTruthy()
    expect(document.querySelector('a[href^=mailto]')).toBeNull()
    expect(document.body.textContent).toContain('Silk Works')
  })

  it('mention the support chat only if there is one', () => {
    const ids = (hasChat: boolean) => sectionsFor(privacyEn as LegalText, operator({ hasChat })).map(({ id }) => id)
    expect(ids(false)).not.toContain('chat')
    expect(ids(true)).toContain('chat')
  })

  it('have the same structure in both languages', () => {
    expect(shapeOf(termsKo as LegalText)).toEqual(shapeOf(termsEn as LegalText))
    expect(shapeOf(privacyKo as LegalText)).toEqual(shapeOf(privacyEn as LegalText))
  })

  it('can be retried when the server does not answer', async () => {
    stubApi({ 'GET /api/public/operator': { status: 404, body: { code: 'NOT_FOUND', message: 'x' } } })
    renderApp(<TermsPage />)
    expect(await screen.findByRole('button', { name: 'Try Again' })).toBeTruthy()
  })
})
