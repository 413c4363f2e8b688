import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { userQuery } from '@/features/auth'
import { createQueryClient } from '@/shared/api/query-client'
import { chooseNsfw, nsfwChoice, nsfwFilter } from '@/shared/lib/nsfw'
import { picture, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { NsfwSelect } from '@/shared/ui/nsfw-select'
import { PictureTile } from './picture-tile'

const show = (id: string, isNsfw: boolean) =>
  renderApp(<PictureTile picture={picture({ _id: id, isNsfw })} list={{ of: 'mine' }} under="/pictures" />)

describe('a sensitive picture in a grid', () => {
  it('is blurred and no link until it is revealed', async () => {
    const { unmount } = show('p-1', true)
    expect(screen.queryByRole('link')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: /Show anyway/ }))
    expect(screen.getByRole('link').getAttribute('href')).toBe('/gallery/p-1')
    unmount()
    show('p-1', true)
    expect(screen.getByRole('link'), 'it is blurred again after a render').toBeTruthy()
  })

  it('stays blurred when another one is revealed', () => {
    show('p-2', true)
    expect(screen.getByRole('button', { name: /Sensitive content/ })).toBeTruthy()
  })

  it('is shown at once if the browser is set so, as other pictures are', () => {
    const { unmount } = show('p-3', false)
    expect(screen.getByRole('link')).toBeTruthy()
    unmount()
    chooseNsfw('show')
    show('p-4', true)
    expect(screen.queryByRole('button', { name: /Sensitive content/ })).toBeNull()
  })
})

describe('the like button of a tile', () => {
  const others = picture({ _id: 'p-9', isPrivate: false, user: { _id: 'user-2', name: 'Bo', profile: null } })

  it('likes the picture without opening it', async () => {
    const requests = stubApi({
      'GET /api/auth': { body: user() },
      'PUT /api/general/output-asset-like/p-9': { body: { isLike: true, likeCount: 1 } },
    })
    const client = createQueryClient()
    client.setQueryData(userQuery().queryKey, user())
    const list = { of: 'public', sort: 'newest', nsfw: 'View' } as const
    const { router } = renderApp(<PictureTile picture={others} list={list} under="/gallery" />, { client })
    await userEvent.click(screen.getByRole('button', { name: 'Like' }))
    await waitFor(() => expect(requests.map(({ method }) => method)).toContain('PUT'))
    expect(router.state.location.pathname).toBe('/')
  })
})

describe('a browser set to sensitive pictures only', () => {
  it('offers the setting, requests only those, and shows them unblurred', async () => {
    renderApp(<NsfwSelect />)
    await userEvent.selectOptions(screen.getByRole('combobox'), 'only')
    expect(nsfwFilter(nsfwChoice())).toBe('Only')
    show('p-5', true)
    expect(screen.queryByRole('button', { name: /Sensitive content/ })).toBeNull()
  })
})

describe('a picture hidden by a moderator', () => {
  it('shows its owner the reason without the file', () => {
    const hidden = picture({ moderation: { reasons: ['Copyright'] } })
    const { container } = renderApp(<PictureTile picture={hidden} list={{ of: 'mine' }} under="/pictures" />)
    expect(screen.getByText('Hidden by a moderator')).toBeTruthy()
    expect(screen.getByText('Reason: Copyright')).toBeTruthy()
    expect(container.querySelector('img')).toBeNull()
  })
})

describe('the likes of a tile', () => {
  it('have one heart: the button, which shows the number', async () => {
    const client = createQueryClient()
    client.setQueryData(userQuery().queryKey, user({ _id: 'user-9' }))
    const liked = picture({ isPrivate: false, likeCount: 7 })
    const list = { of: 'public', sort: 'newest', nsfw: 'View' } as const
    renderApp(<PictureTile picture={liked} list={list} under="/gallery" />, { client })
    expect(screen.getAllByText('7')).toHaveLength(1)
    expect(screen.getByRole('button', { name: 'Like' }).textContent).toBe('7')
  })
})

describe('an output that cannot be shown', () => {
  it.each([
    ['file', 'statue_00001_.glb'],
    ['audio', 'song_00001_.flac'],
    ['image', 'large_00001_.png'],
  ] as const)('shows its kind and name: %s', (kind, fileName) => {
    const made = picture({ kind, fileName, hasPreview: false })
    const { container } = renderApp(<PictureTile picture={made} list={{ of: 'mine' }} under="/pictures" />)
    expect(screen.getByText(fileName)).toBeTruthy()
    expect(container.querySelector('img'), 'the file itself is fetched as a picture').toBeNull()
  })

  it('shows no name to other users', () => {
    const made = picture({ kind: 'audio', fileName: null, format: 'flac', hasPreview: false, isPrivate: false })
    renderApp(<PictureTile picture={made} list={{ of: 'liked', user: 'u' }} under="/" />)
    expect(screen.getByText('FLAC')).toBeTruthy()
  })
})
