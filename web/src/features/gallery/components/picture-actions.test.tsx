import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { picture } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { PictureActions } from './picture-actions'

const show = (change: Parameters<typeof picture>[0], own = true) => {
  stubApi({ 'GET /api/auth': { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'sign in' } } })
  const graph = { shown: false, turn: () => undefined }
  renderApp(<PictureActions picture={picture(change)} own={own} admin={false} graph={graph} onGone={() => undefined} />)
}

describe('a picture hidden by a moderator', () => {
  it('cannot be published or downloaded by its owner', () => {
    show({ moderation: { reasons: [] } })
    expect(screen.queryByRole('button', { name: 'Publish' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Delete' })).toBeTruthy()
  })

  it('can be published once it is not hidden any more', () => {
    show({ moderation: null })
    expect(screen.getByRole('button', { name: 'Publish' })).toBeTruthy()
  })
})

describe('an output without preview', () => {
  it('can be downloaded but not published', () => {
    show({ kind: 'file', fileName: 'statue_00001_.glb', hasPreview: false, isPublishable: false })
    expect(screen.queryByRole('button', { name: 'Publish' })).toBeNull()
    expect(screen.getByText('This file cannot be published: others could not see it.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy()
  })
})

describe('the file with its graph', () => {
  const name = 'Download with graph'

  it('is offered to the owner of the picture only', () => {
    show({ isPrivate: false })
    expect(screen.getByRole('button', { name })).toBeTruthy()
  })

  it('is not offered to others, and not for a hidden picture', () => {
    show({ isPrivate: false }, false)
    show({ moderation: { reasons: [] } })
    expect(screen.queryByRole('button', { name })).toBeNull()
  })
})
