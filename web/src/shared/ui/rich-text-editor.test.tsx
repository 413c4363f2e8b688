import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import RichTextEditor from './rich-text-editor'

// The editor scrolls the cursor into view, but jsdom has no layout.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList
Range.prototype.getBoundingClientRect = () => new DOMRect()

describe('a picture for the text', () => {
  const choose = (container: HTMLElement) => {
    const input = container.querySelector('input[type=file]') as HTMLInputElement
    fireEvent.change(input, { target: { files: [new File(['x'], 'boat.png', { type: 'image/png' })] } })
  }

  it.each([
    [
      'arrives',
      (resolve: (image: { url: string; name: string }) => void) => resolve({ url: '/boat.png', name: 'boat' }),
    ],
    ['fails', (_: unknown, reject: (error: Error) => void) => reject(new Error('cut'))],
  ])('delays sending until it %s', async (_how, end) => {
    let finish: () => void = () => undefined
    const release = vi.fn()
    const trackUpload = vi.fn(() => release)
    const { container } = renderApp(
      <RichTextEditor
        html="<p>Words</p>"
        label="Comment"
        onChange={() => undefined}
        onImage={() =>
          new Promise((resolve, reject) => {
            finish = () => end(resolve, reject)
          })
        }
        onProblem={() => undefined}
        trackUpload={trackUpload}
      />,
    )
    await screen.findByRole('textbox', { name: 'Comment' })
    choose(container)
    await waitFor(() => expect(trackUpload).toHaveBeenCalledOnce())
    expect(release).not.toHaveBeenCalled()
    finish()
    await waitFor(() => expect(release).toHaveBeenCalledOnce())
  })
})
