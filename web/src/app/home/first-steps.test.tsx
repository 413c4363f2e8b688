import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { picture, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import FirstSteps from './first-steps'
import { shouldShowFirstSteps } from './first-steps-state'

const ann = user({ createdAt: '2026-11-20T08:00:00Z' })
const nothing = { body: { items: [], nextCursor: null } }
const DAY = Date.parse('2026-11-21T08:00:00Z')

it('marks done steps from existing data, and hides after a dismissal', async () => {
  stubApi({
    'GET /api/general/job': nothing,
    'GET /api/general/output-asset/published/user-1': nothing,
    'GET /api/general/output-asset/like': { body: { items: [picture()], nextCursor: null } },
  })
  renderApp(<FirstSteps user={ann} />)
  const guide = await screen.findByRole('region', { name: 'First steps' })
  expect(within(guide).getByText('1 of 4 done')).toBeTruthy()
  expect(within(guide).getByRole('link', { name: /Like a picture\s*\(done\)/ })).toBeTruthy()
  expect(shouldShowFirstSteps(ann, DAY)).toBe(true)
  await userEvent.click(within(guide).getByRole('button', { name: 'Do not show this again' }))
  expect(screen.queryByRole('region')).toBeNull()
  expect(shouldShowFirstSteps(ann, DAY), 'it comes back').toBe(false)
})

it('is hidden for accounts older than a month', () => {
  expect(shouldShowFirstSteps(ann, DAY + 60 * 86_400_000)).toBe(false)
})
