import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { EditorFrame } from './editor-frame'

const INSTALLED = 'GET /comfyui-editor/installed.json'
let comeIntoView: () => void = () => undefined

beforeEach(() => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('min-width'),
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
        comeIntoView = () => act(() => seen([{ isIntersecting: true }]))
      }
      observe() {}
      disconnect() {}
    },
  )
})

function setup(installed = true) {
  const requests = stubApi({ [INSTALLED]: { body: { installed } } })
  const onMessage = vi.fn()
  const onBridge = vi.fn()
  renderApp(
    <EditorFrame source={{ flow: 'w' }} title="Graph" onMessage={onMessage} onBridge={onBridge}>
      {'our drawing'}
    </EditorFrame>,
  )
  return { requests, onMessage, onBridge }
}

const drawing = () => screen.queryByText('our drawing')
const frame = () => document.querySelector('iframe')
const say = (data: object, source: MessageEventSource | null = frame()?.contentWindow ?? null) =>
  act(() => {
    window.dispatchEvent(new MessageEvent('message', { source, origin: window.location.origin, data }))
  })

describe('a read-only frame', () => {
  it('loads when it comes into view, and replaces the drawing when its graph is drawn', async () => {
    const { requests, onMessage, onBridge } = setup()
    expect(requests).toHaveLength(0)
    comeIntoView()
    await waitFor(() => expect(frame()?.getAttribute('src')).toBe('/comfyui-editor/?flow=w&readonly=true'))
    expect(drawing()).toBeTruthy()
    say({ type: 'editorReady', version: '1' }, window)
    expect(drawing(), 'another window replaced the drawing').toBeTruthy()
    say({ type: 'editorReady', version: '1' })
    expect(drawing()).toBeNull()
    expect(onBridge).toHaveBeenCalledOnce()
    say({ type: 'nodeClick', nodeId: '7' })
    expect(onMessage).toHaveBeenCalledWith({ type: 'nodeClick', nodeId: '7' })
  })

  it('keeps the drawing of a graph that it cannot load', async () => {
    setup()
    comeIntoView()
    await waitFor(() => expect(frame()).toBeTruthy())
    say({ type: 'loadFailed', status: 404 })
    say({ type: 'editorReady', version: '1' })
    expect(drawing()).toBeTruthy()
  })

  it('is not loaded without the editor', async () => {
    const { requests } = setup(false)
    comeIntoView()
    await waitFor(() => expect(requests).toHaveLength(1))
    expect([frame(), drawing() !== null]).toEqual([null, true])
  })

  it('is not loaded on phones', () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: false,
      media: query,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }))
    const { requests } = setup()
    comeIntoView()
    expect([requests.length, frame()]).toEqual([0, null])
  })
})
