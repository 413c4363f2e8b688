import { render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { drawModel } from './model-scene'
import ModelViewer from './model-viewer'

vi.mock('./model-scene', () => ({ drawModel: vi.fn() }))
const draw = vi.mocked(drawModel)
afterEach(() => draw.mockReset())

const shown = () => render(<ModelViewer url="/media/raw/abc/chair.glb" name="chair.glb" />)

describe('a 3D model', () => {
  it('is drawn from its file, and removed with its page', async () => {
    const remove = vi.fn()
    draw.mockResolvedValue(remove)
    const page = shown()
    expect(screen.getByText('The 3D model is loading…')).toBeTruthy()
    expect(await screen.findByText(/^Drag to turn it/)).toBeTruthy()
    const [, url, label, signal] = draw.mock.calls[0] ?? []
    expect([url, label]).toEqual(['/media/raw/abc/chair.glb', '3D model chair.glb'])
    page.unmount()
    await waitFor(() => expect(remove).toHaveBeenCalledOnce())
    expect(signal?.aborted).toBe(true)
  })

  it('that cannot be drawn is explained', async () => {
    draw.mockRejectedValue(new Error('no WebGL'))
    shown()
    expect(await screen.findByText('This 3D model cannot be shown here. Download it to open it.')).toBeTruthy()
  })

  it('whose page is left while it loads is removed when it has loaded', async () => {
    const remove = vi.fn()
    let load = (_: () => void) => {}
    draw.mockReturnValue(
      new Promise((resolve) => {
        load = resolve
      }),
    )
    shown().unmount()
    load(remove)
    await waitFor(() => expect(remove).toHaveBeenCalledOnce())
  })
})
