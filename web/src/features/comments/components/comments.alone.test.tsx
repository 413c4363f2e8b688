import { focusManager } from '@tanstack/react-query'
import { act, renderHook, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { LoginDialogProvider } from '@/features/auth'
import type { Comment } from '@/shared/api/types'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { closeModal, useModal } from '@/shared/ui/modals'
import type { RichTextEditorProps } from '@/shared/ui/rich-text-editor'
import { comment as anyComment, page as pageOf } from '../testing'
import Comments from './comments'

const uploads: (() => void)[] = []

// The real editor needs a browser.
vi.mock('@/shared/ui/rich-text-editor', () => ({
  default: ({ html, label, onChange, trackUpload }: RichTextEditorProps) => (
    <>
      <textarea aria-label={label} defaultValue={html} onChange={(event) => onChange(`<p>${event.target.value}</p>`)} />
      <button type="button" onClick={() => uploads.push(trackUpload?.() as () => void)}>
        {'upload'}
      </button>
    </>
  ),
}))

const comment = (id: string, change: Partial<Comment> = {}) =>
  anyComment({
    _id: id,
    user: { _id: 'user-2', name: 'Bo', profile: null, roles: ['Customer'] },
    content: `<p>Words of ${id}</p>`,
    workflow: 'w-1',
    likeCount: 2,
    dislikeCount: 0,
    ...change,
  })
const page = (...items: Comment[]) => ({ body: pageOf(...items) })
const ME = { 'GET /api/auth': { body: user() } }
const GUEST = { 'GET /api/auth': { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'x' } } }
const LIST = 'GET /api/general/comment/workflow/w-1'
const CHILDREN = 'GET /api/general/comment/child/'

const show = (path = '/') =>
  renderApp(
    <LoginDialogProvider>
      <Comments post={{ kind: 'workflow', id: 'w-1' }} postAuthor="user-3" />
    </LoginDialogProvider>,
    { path },
  )
const of = async (id: string) => within((await screen.findByText(`Words of ${id}`)).closest('article') as HTMLElement)

beforeEach(() => {
  window.sessionStorage.clear()
  Element.prototype.scrollIntoView = vi.fn()
})

describe('writing a comment', () => {
  it('opens the login modal for guests', async () => {
    stubApi({
      ...GUEST,
      'GET /api/public/comment/workflow/w-1': page(comment('c-1')),
      'GET /api/public/sign-in-options': { body: { google: false, discord: false } },
    })
    show()
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in to write a comment' }))
    expect(await screen.findByRole('dialog')).toBeTruthy()
  })

  it('sends it, shows it first and counts it', async () => {
    const written = comment('c-2', { user: { _id: 'user-1', name: 'Mira', profile: null, roles: ['Customer'] } })
    const requests = stubApi({
      ...ME,
      [LIST]: page(comment('c-1')),
      'POST /api/general/comment': { status: 201, body: written },
    })
    show()
    await userEvent.click(await screen.findByRole('button', { name: 'Say something about it…' }))
    expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Post' })).disabled).toBe(true)
    await userEvent.type(await screen.findByLabelText('Write a comment'), 'Hello')
    await userEvent.click(screen.getByRole('button', { name: 'Post' }))
    await screen.findByText('Words of c-2')
    expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
      workflow: 'w-1',
      content: '<p>Hello</p>',
      depth: 0,
    })
    const articles = screen.getAllByRole('article').map((one) => one.textContent)
    expect(articles[0]).toContain('Words of c-2')
    expect(screen.getByRole('heading', { name: 'Comments 2' })).toBeTruthy()
    expect(screen.queryByLabelText('Write a comment')).toBeNull()
  })

  it('says how many characters are too many, and blocks sending', async () => {
    stubApi({ ...ME, [LIST]: page(comment('c-1')) })
    show()
    await userEvent.click(await screen.findByRole('button', { name: 'Say something about it…' }))
    const field = await screen.findByLabelText('Write a comment')
    await userEvent.click(field)
    await userEvent.paste('a'.repeat(579))
    expect(screen.queryByText(/\/ 580/)).toBeNull()
    await userEvent.type(field, 'b')
    expect(screen.getByText('580 / 580')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Post' }).disabled).toBe(false)
    await userEvent.type(field, 'c')
    expect(screen.getByText('581 / 580')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Post' }).disabled).toBe(true)
  })

  it('says why a picture alone cannot be sent', async () => {
    stubApi({ ...ME, [LIST]: page(comment('c-1')) })
    show()
    await userEvent.click(await screen.findByRole('button', { name: 'Say something about it…' }))
    await userEvent.type(await screen.findByLabelText('Write a comment'), '<img src="/media/raw/ab.png">')
    expect(await screen.findByText('Add a few words to your picture.')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Post' }).disabled).toBe(true)
  })

  it('blocks sending by press or key while a picture is uploading, and says so', async () => {
    const requests = stubApi({
      ...ME,
      [LIST]: page(comment('c-1')),
      'POST /api/general/comment': { status: 201, body: comment('c-2') },
    })
    show()
    await userEvent.click(await screen.findByRole('button', { name: 'Say something about it…' }))
    const field = await screen.findByLabelText('Write a comment')
    await userEvent.type(field, 'Hello')
    await userEvent.click(screen.getByRole('button', { name: 'upload' }))
    expect(await screen.findByText('A picture is being uploaded…')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Post' }))
    await userEvent.type(field, '{Control>}{Enter}{/Control}')
    expect(requests.some(({ method }) => method === 'POST')).toBe(false)
    act(() => uploads.shift()?.())
    await userEvent.click(screen.getByRole('button', { name: 'Post' }))
    await waitFor(() => expect(requests.some(({ method }) => method === 'POST')).toBe(true))
  })

  it('keeps a draft over a reload', async () => {
    stubApi({ ...ME, [LIST]: page(comment('c-1')) })
    const first = show()
    await userEvent.click(await screen.findByRole('button', { name: 'Say something about it…' }))
    await userEvent.type(await screen.findByLabelText('Write a comment'), 'Half a th')
    first.unmount()
    show()
    expect((await screen.findByLabelText<HTMLTextAreaElement>('Write a comment')).value).toContain('Half a th')
  })
})

describe('a conversation', () => {
  it('is refetched when its reader returns to the page', async () => {
    let said = page(comment('c-1'))
    stubApi({ ...ME, [LIST]: () => said })
    show()
    await screen.findByText('Words of c-1')
    said = page(comment('c-2'), comment('c-1'))
    act(() => focusManager.setFocused(false))
    act(() => focusManager.setFocused(true))
    expect(await screen.findByText('Words of c-2')).toBeTruthy()
    focusManager.setFocused(undefined)
  })

  it('keeps a like while an older answer is pending', async () => {
    let answer: (() => void) | undefined
    const old = page(comment('c-1'))
    let asked = 0
    stubApi({
      ...ME,
      [LIST]: () => {
        asked += 1
        return asked === 1 ? old : new Promise((resolve) => (answer = () => resolve(old)))
      },
      'POST /api/general/comment-like/like/c-1': { body: comment('c-1', { likeCount: 3, isLike: true }) },
    })
    show()
    await screen.findByText('Words of c-1')
    act(() => focusManager.setFocused(false))
    act(() => focusManager.setFocused(true))
    await waitFor(() => expect(asked).toBe(2))
    await userEvent.click((await of('c-1')).getByRole('button', { name: 'Like, 2' }))
    expect(await (await of('c-1')).findByRole('button', { name: 'Like, 3' })).toBeTruthy()
    await act(async () => answer?.())
    expect((await of('c-1')).getByRole('button', { name: 'Like, 3' })).toBeTruthy()
    focusManager.setFocused(undefined)
  })
})

describe('replies', () => {
  it('are open if there are fewer than four, else closed', async () => {
    const answer = comment('c-9', { depth: 1, parent: 'c-1' })
    const requests = stubApi({
      ...ME,
      [LIST]: page(comment('c-1', { replyCount: 3 }), comment('c-2', { replyCount: 4 })),
      [`${CHILDREN}c-1`]: page(answer),
    })
    show()
    await screen.findByText('Words of c-9')
    expect(screen.getByRole('button', { name: '4 replies' }).getAttribute('aria-expanded')).toBe('false')
    expect(requests.some(({ path }) => path.endsWith('/child/c-2'))).toBe(false)
  })

  it('are written below their comment', async () => {
    const answer = comment('c-9', { depth: 1, parent: 'c-1' })
    const requests = stubApi({
      ...ME,
      [LIST]: page(comment('c-1')),
      [`${CHILDREN}c-1`]: page(answer),
      'POST /api/general/comment': { status: 201, body: answer },
    })
    show()
    await userEvent.click((await of('c-1')).getByRole('button', { name: 'Reply' }))
    await userEvent.type(await screen.findByLabelText('Write a reply'), 'Thanks')
    const buttons = screen.getAllByRole('button', { name: 'Reply' })
    await userEvent.click(buttons[buttons.length - 1] as HTMLElement)
    await screen.findByText('Words of c-9')
    expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
      parent: 'c-1',
      content: '<p>Thanks</p>',
      depth: 1,
    })
    expect(screen.getByRole('button', { name: 'Hide replies' })).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Comments 2' })).toBeTruthy()
  })
})

describe('a comment', () => {
  it('shows a like at once, and rolls it back when the server refuses', async () => {
    let refuse: (() => void) | undefined
    const gate = new Promise<void>((resolve) => {
      refuse = resolve
    })
    stubApi({
      ...ME,
      [LIST]: page(comment('c-1')),
      'POST /api/general/comment-like/like/c-1': async () => {
        await gate
        return { status: 500, body: { code: 'INTERNAL', message: 'x' } }
      },
    })
    show()
    await userEvent.click((await of('c-1')).getByRole('button', { name: 'Like, 2' }))
    expect((await of('c-1')).getByRole('button', { name: 'Like, 3' }).getAttribute('aria-pressed')).toBe('true')
    refuse?.()
    await waitFor(async () => expect((await of('c-1')).getByRole('button', { name: 'Like, 2' })).toBeTruthy())
  })

  it('of oneself can be edited and deleted, but not liked or blocked', async () => {
    const own = comment('c-1', { user: { _id: 'user-1', name: 'Mira', profile: null, roles: ['Customer'] } })
    const requests = stubApi({ ...ME, [LIST]: page(own), 'DELETE /api/general/comment/c-1': { status: 204 } })
    show()
    const mine = await of('c-1')
    expect(mine.getByRole<HTMLButtonElement>('button', { name: 'Like, 2' }).disabled).toBe(true)
    await userEvent.click(mine.getByRole('button', { name: /^More about/ }))
    expect(mine.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Edit', 'Delete', 'Copy link'])
    await userEvent.click(mine.getByRole('menuitem', { name: 'Delete' }))
    const dialog = await screen.findByRole('dialog', { name: 'Delete your comment?' })
    expect(requests.some(({ method }) => method === 'DELETE')).toBe(false)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('No comments yet')).toBeTruthy()
  })

  it('of another user disappears when that user is blocked', async () => {
    let blocked = false
    const requests = stubApi({
      ...ME,
      [LIST]: () => (blocked ? page() : page(comment('c-1'))),
      'POST /api/general/user-block': () => {
        blocked = true
        return { status: 204 }
      },
    })
    show()
    const other = await of('c-1')
    await userEvent.click(other.getByRole('button', { name: /^More about/ }))
    expect(other.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'Copy link',
      'Report',
      'Block author',
    ])
    await userEvent.click(other.getByRole('menuitem', { name: 'Block author' }))
    const dialog = await screen.findByRole('dialog', { name: 'Block Bo?' })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Block' }))
    await waitFor(() => expect(screen.queryByText('Words of c-1')).toBeNull())
    expect(requests.find(({ path }) => path === '/api/general/user-block')?.body).toEqual({ user: 'user-2' })
  })

  it('of another user can be reported by signed-in users, and opens the login modal for guests', async () => {
    const press = async () => {
      const other = await of('c-1')
      await userEvent.click(other.getByRole('button', { name: /^More about/ }))
      await userEvent.click(other.getByRole('menuitem', { name: 'Report' }))
    }
    stubApi({ ...ME, [LIST]: page(comment('c-1')) })
    const { result } = renderHook(() => useModal('report'))
    const { unmount } = show()
    await press()
    expect(result.current).toEqual({ kind: 'Comment', id: 'c-1' })
    unmount()
    act(() => closeModal('report'))
    stubApi({ ...GUEST, 'GET /api/public/comment/workflow/w-1': page(comment('c-1')) })
    show()
    await press()
    expect(await screen.findByRole('dialog')).toBeTruthy()
    expect(result.current).toBeUndefined()
  })

  it('without author stays while it has replies, and its hidden text is not shown', async () => {
    stubApi({
      ...ME,
      [LIST]: page(
        comment('c-1', { user: null, content: '', replyCount: 4 }),
        comment('c-2', { user: null, content: '' }),
        comment('c-3', { content: '', isHidden: true }),
      ),
    })
    show()
    expect(await screen.findByText('This comment was deleted.')).toBeTruthy()
    expect(screen.getByText('This comment was hidden by a moderator.')).toBeTruthy()
    expect(screen.getAllByRole('article')).toHaveLength(2)
  })

  it('linked by the address comes first, is highlighted, and is listed once', async () => {
    const far = comment('c-9', { depth: 1, parent: 'c-2' })
    stubApi({
      ...ME,
      [LIST]: page(comment('c-1'), comment('c-2', { replyCount: 14 })),
      'GET /api/general/comment/c-9': { body: far },
      'GET /api/general/comment/c-2': { body: comment('c-2', { replyCount: 14 }) },
      [`${CHILDREN}c-2`]: page(comment('c-3', { depth: 1, parent: 'c-2' })),
    })
    show('/workflows/w-1?comment=c-9')
    const linked = (await screen.findByText('Words of c-9')).closest('article') as HTMLElement
    await waitFor(() => expect(document.activeElement).toBe(linked))
    expect(screen.getAllByText(/^Words of/).map((one) => one.textContent)).toEqual([
      'Words of c-2',
      'Words of c-3',
      'Words of c-9',
      'Words of c-1',
    ])
  })

  it('linked by the address but deleted is said to be gone', async () => {
    const gone = { status: 404, body: { code: 'NOT_FOUND', message: 'x' } }
    stubApi({ ...ME, [LIST]: page(comment('c-1')), 'GET /api/general/comment/c-9': gone })
    show('/workflows/w-1?comment=c-9')
    expect(await screen.findByText('The comment that this link leads to no longer exists.')).toBeTruthy()
  })
})
