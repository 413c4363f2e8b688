import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { asset, workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { DetailGallery } from './detail-gallery'

const post = workflow({ cover: asset({ _id: 'a' }), thumbnails: [asset({ _id: 'a' }), asset({ _id: 'b' })] })

it('the shown picture can be reported alone', async () => {
  const report = vi.fn()
  renderApp(<DetailGallery workflow={post} signedIn={false} onReport={report} />)
  await userEvent.click(screen.getByRole('button', { name: 'Show picture 2' }))
  await userEvent.click(screen.getByRole('button', { name: 'Report picture 2' }))
  expect(report).toHaveBeenCalledExactlyOnceWith('b')
})

it("one's own pictures cannot be reported", () => {
  renderApp(<DetailGallery workflow={post} signedIn={true} />)
  expect(screen.queryByRole('button', { name: /Report/ })).toBeNull()
})
