import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { chooseNsfw } from '@/shared/lib/nsfw'
import { picture } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { PictureTile } from './picture-tile'

const show = (id: string, isNsfw: boolean) =>
  renderApp(<PictureTile picture={picture({ _id: id, isNsfw })} list={{ of: 'mine' }} under="/pictures" />)

describe('a sensitive picture in a grid', () => {
  it('is blurred and leads nowhere until somebody asks for it', async () => {
    const { unmount } = show('p-1', true)
    expect(screen.queryByRole('link')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: /Show anyway/ }))
    expect(screen.getByRole('link').getAttribute('href')).toBe('/gallery/p-1')
    unmount()
    show('p-1', true)
    expect(screen.getByRole('link'), 'it is veiled anew when the grid draws it again').toBeTruthy()
  })

  it('is veiled on its own: another one that was asked for lifts nothing', () => {
    show('p-2', true)
    expect(screen.getByRole('button', { name: /Sensitive content/ })).toBeTruthy()
  })

  it('is shown at once on a browser that wants it so, and others always are', () => {
    const { unmount } = show('p-3', false)
    expect(screen.getByRole('link')).toBeTruthy()
    unmount()
    chooseNsfw('show')
    show('p-4', true)
    expect(screen.queryByRole('button', { name: /Sensitive content/ })).toBeNull()
  })
})
