import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { picture } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { SelectionBar } from './selection-bar'

const hidden = picture({ _id: 'p-1', moderation: { reasons: ['Copyright'] } })
const file = picture({ _id: 'p-2', kind: 'file', isPublishable: false })
const good = picture({ _id: 'p-3' })

it.each([
  ['a picture that a moderator has hidden', [hidden], false],
  ['a file that others could not see', [file], false],
  ['a good one among them', [hidden, file, good], true],
])('a selection of %s offers to publish only what can be published', (_what, pictures, isOffered) => {
  stubApi({})
  const may = { publish: true, hide: false, remove: true }
  renderApp(<SelectionBar pictures={pictures} may={may} onClear={() => undefined} />)
  expect(screen.queryByRole('button', { name: 'Publish' }) !== null).toBe(isOffered)
  expect(screen.getByRole('button', { name: 'Delete' })).toBeTruthy()
})
