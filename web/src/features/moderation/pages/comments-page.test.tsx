import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Comment } from '@/shared/api/types'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import CommentsPage from './comments-page'

const comment = (change: Partial<Comment> = {}): Comment => ({
  _id: 'comment-1',
  user: { _id: 'user-1', name: 'Mira', profile: null, roles: ['Customer'] },
  content: '<p>rude <strong>words</strong><script>alert(1)</script></p>',
  isHidden: true,
  depth: 0,
  parent: null,
  workflow: 'workflow-1',
  outputAsset: null,
  replyCount: 0,
  likeCount: 0,
  dislikeCount: 0,
  isLike: null,
  createdAt: '2026-11-20T08:00:00Z',
  editedAt: null,
  ...change,
})

const admin = { body: user({ _id: 'admin-1', roles: ['Customer', 'Admin'] }) }

describe('all comments', () => {
  it('show hidden text to admins, and are deleted after a confirmation', async () => {
    let gone = false
    const requests = stubApi({
      'GET /api/auth': admin,
      'GET /api/admin/comment': () => ({ body: { items: gone ? [] : [comment()], nextCursor: null } }),
      'DELETE /api/general/comment/comment-1': () => {
        gone = true
        return { status: 204 }
      },
    })
    const { container } = renderApp(<CommentsPage />)
    expect(await screen.findByText('words')).toBeTruthy()
    expect(container.querySelector('script')).toBeNull()
    expect(screen.getByText('Hidden')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'On a workflow' }).getAttribute('href')).toBe('/admin/workflows/workflow-1')
    await userEvent.click(screen.getByRole('button', { name: 'Actions for the comment by Mira' }))
    await userEvent.click(screen.getByRole('menuitem', { name: 'Delete' }))
    expect(requests.some((request) => request.method === 'DELETE')).toBe(false)
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('The comment was deleted')).toBeTruthy()
    expect(await screen.findByText('No comment matches')).toBeTruthy()
    expect(requests.some((request) => request.method === 'DELETE')).toBe(true)
  })

  it('are searched by keyword and author, kept in the address', async () => {
    const requests = stubApi({
      'GET /api/auth': admin,
      'GET /api/public/user/user-1': { body: { _id: 'user-1', name: 'Mira', profile: null, roles: ['Customer'] } },
      'GET /api/admin/comment': { body: { items: [comment()], nextCursor: null } },
    })
    const { router } = renderApp(<CommentsPage />)
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for the comment by Mira' }))
    await userEvent.click(screen.getByRole('menuitem', { name: 'All comments by Mira' }))
    await userEvent.type(screen.getByRole('searchbox'), 'rude{Enter}')
    await waitFor(() => expect(router.state.location.search).toBe('?user=user-1&keyword=rude'))
    await waitFor(() => expect(requests.at(-1)?.search).toBe('?limit=50&keyword=rude&user=user-1'))
    await userEvent.click(
      await screen.findByRole('button', { name: 'Show the comments of everyone, not only of Mira' }),
    )
    expect(router.state.location.search).toBe('?keyword=rude')
  })

  it('continue after a page without matches', async () => {
    let asked = 0
    stubApi({
      'GET /api/auth': admin,
      'GET /api/admin/comment': () => {
        asked += 1
        return { body: asked === 1 ? { items: [], nextCursor: 'c-2' } : { items: [comment()], nextCursor: null } }
      },
    })
    renderApp(<CommentsPage />)
    await userEvent.click(await screen.findByRole('button', { name: 'Load more' }))
    expect(await screen.findByText('words')).toBeTruthy()
    expect(screen.queryByText('No comment matches')).toBeNull()
  })
})
