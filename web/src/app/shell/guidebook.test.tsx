import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { operatorQuery } from '@/features/legal'
import { createQueryClient } from '@/shared/api/query-client'
import { renderApp } from '@/shared/testing/render'
import Guidebook from './guidebook'

it('leads from its chapter for builders to the documentation of the API', () => {
  const client = createQueryClient()
  client.setQueryData(operatorQuery().queryKey, { name: 'Ada', outputDays: 12, hasChat: false, termsVersion: '1' })
  renderApp(<Guidebook first="build" onGo={vi.fn()} />, { client })
  const link = screen.getByRole('link', { name: 'Read the API documentation' })
  expect(link.getAttribute('href')).toBe('/api/docs')
})
