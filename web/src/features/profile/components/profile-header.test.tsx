import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { Profile } from '@/shared/api/types'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { ProfileHeader } from './profile-header'

const profile = (): Profile => {
  const { _id, name, nameTag, createdAt } = user()
  const counts = { workflows: 1, images: 2, likes: 3 }
  return { _id, name, nameTag, createdAt, profile: null, contactPoints: {}, counts } as Profile
}

it('the name is edited in place, and shows at once', async () => {
  let name = user().name
  stubApi({
    'GET /api/auth': () => ({ body: user({ name }) }),
    'PATCH /api/auth/me/name': () => {
      name = 'Silk'
      return { body: user({ name }) }
    },
  })
  renderApp(<ProfileHeader profile={profile()} own />)
  const edit = screen.getByRole('button', { name: 'Edit profile' })
  await userEvent.click(edit)
  const part = await screen.findByRole('region', { name: 'Edit profile' })
  const field = await within(part).findByLabelText('Name')
  await userEvent.clear(field)
  await userEvent.type(field, 'Silk')
  await userEvent.click(within(part).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Silk'))
  await userEvent.click(edit)
  expect(screen.queryByRole('region', { name: 'Edit profile' })).toBeNull()
})

it('other users cannot edit anything', () => {
  stubApi({
    'GET /api/auth': { body: user({ _id: 'user-2' }) },
    'GET /api/general/user-block': { body: { items: [] } },
  })
  renderApp(<ProfileHeader profile={profile()} own={false} />)
  for (const name of ['Edit profile', 'Contact points']) expect(screen.queryByRole('button', { name })).toBeNull()
})
