import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import SimpleAppCards from './simple-app-cards'

const simple = (address: string, state: string) => ({
  address,
  state,
  workflow: null,
  workflowApi: null,
  name: null,
  nameKo: null,
  missing: [],
})

it('shows apps that are set up, and marks those that no worker can run', async () => {
  const items = [
    simple('background-remover', 'Ready'),
    simple('face-swap', 'Unbound'),
    simple('image-to-prompt', 'Waiting'),
  ]
  stubApi({ 'GET /api/public/simple-app': { body: { items } } })
  renderApp(<SimpleAppCards />)
  const section = await screen.findByRole('region', { name: 'Simple apps' })
  const [ready, waiting, ...others] = within(section).getAllByRole('link')
  expect(others).toEqual([])
  expect(ready?.getAttribute('href')).toBe('/easy-app/background-remover')
  expect(ready?.textContent).not.toContain('Not working now')
  expect(waiting?.getAttribute('href')).toBe('/easy-app/image-to-prompt')
  expect(waiting?.textContent).toContain('Not working now')
})

it('shows nothing while no app is set up', async () => {
  const requests = stubApi({ 'GET /api/public/simple-app': { body: { items: [simple('face-swap', 'Unbound')] } } })
  renderApp(<SimpleAppCards />)
  await expect.poll(() => requests.length).toBe(1)
  expect(screen.queryByRole('region')).toBeNull()
})
