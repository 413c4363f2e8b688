import { afterEach, expect, it, vi } from 'vitest'
import { drawnBridge, type FrameNews, frameBridge, readNews } from './frame-bridge'

const ORIGIN = 'https://editor.example'
const frames: HTMLIFrameElement[] = []

/** A page that stands in for the editor: a real window of its own in a frame. */
function standIn(): Window {
  const frame = document.createElement('iframe')
  document.body.append(frame)
  frames.push(frame)
  return frame.contentWindow as Window
}

const say = (source: Window | null, origin: string, data: unknown) =>
  window.dispatchEvent(new MessageEvent('message', { source, origin, data }))

function heardBy(editor: Window | null) {
  const heard: FrameNews[] = []
  const stop = frameBridge(() => editor, ORIGIN).listen((news) => heard.push(news))
  return { heard, stop }
}

afterEach(() => {
  for (const frame of frames.splice(0)) frame.remove()
})

it('hears the editor in its frame', () => {
  const editor = standIn()
  const { heard, stop } = heardBy(editor)
  say(editor, ORIGIN, { type: 'nodeClick', nodeId: 7 })
  say(editor, ORIGIN, { type: 'outputNodeDefs', nodes: [{ id: '9', name: 'SaveImage', title: 'Save', more: 1 }] })
  expect(heard).toEqual([
    { type: 'nodeClick', nodeId: '7' },
    { type: 'outputNodeDefs', nodes: [{ id: '9', name: 'SaveImage', title: 'Save' }] },
  ])
  stop()
})

it('hears neither another window nor another origin, nor anybody while there is no frame', () => {
  const editor = standIn()
  const click = { type: 'nodeClick', nodeId: '7' }
  const { heard, stop } = heardBy(editor)
  say(standIn(), ORIGIN, click)
  say(window, ORIGIN, click)
  say(null, ORIGIN, click)
  say(editor, 'https://elsewhere.example', click)
  say(editor, `${ORIGIN}.elsewhere.example`, click)
  stop()
  const none = heardBy(null)
  say(null, ORIGIN, click)
  none.stop()
  expect([...heard, ...none.heard]).toEqual([])
})

it.each([
  null,
  'nodeClick',
  [],
  {},
  { type: 'moveToNode', nodeId: '7' },
  { type: 'nodeClick' },
  { type: 'nodeClick', nodeId: '' },
  { type: 'nodeClick', nodeId: 1.5 },
  { type: 'nodeClick', nodeId: { toString: 'x' } },
  { type: 'nodeClick', nodeId: 'x'.repeat(201) },
  { type: 'outputNodeDefs' },
  { type: 'outputNodeDefs', nodes: {} },
  { type: 'outputNodeDefs', nodes: [{ name: 'SaveImage' }] },
  { type: 'outputNodeDefs', nodes: [null] },
  { type: 'outputNodeDefs', nodes: Array.from({ length: 2001 }, () => ({ id: '1' })) },
])('a message of no known shape is not read: %j', (message) => {
  expect(readNews(message)).toBeNull()
})

it('sends to the origin of the editor and to nobody else', () => {
  const editor = { postMessage: vi.fn() } as unknown as Window
  frameBridge(() => editor, ORIGIN).moveToNode('12')
  expect(editor.postMessage).toHaveBeenCalledExactlyOnceWith({ type: 'moveToNode', nodeId: '12' }, ORIGIN)
  expect(() => frameBridge(() => null, ORIGIN).moveToNode('12')).not.toThrow()
})

it('is silent after it was told to stop', () => {
  const editor = standIn()
  const { heard, stop } = heardBy(editor)
  stop()
  say(editor, ORIGIN, { type: 'nodeClick', nodeId: '7' })
  expect(heard).toEqual([])
})

it('a graph that the page draws itself speaks the same words', () => {
  const show = vi.fn()
  const bridge = drawnBridge(show)
  const hear = vi.fn()
  const stop = bridge.listen(hear)
  bridge.moveToNode('3')
  bridge.tell({ type: 'nodeClick', nodeId: '4' })
  stop()
  bridge.tell({ type: 'nodeClick', nodeId: '5' })
  expect(show).toHaveBeenCalledExactlyOnceWith('3')
  expect(hear).toHaveBeenCalledExactlyOnceWith({ type: 'nodeClick', nodeId: '4' })
})
