import { afterEach, expect, it, vi } from 'vitest'
import { type FrameMessage, frameBridge, localBridge, parseMessage } from './frame-bridge'

const ORIGIN = 'https://editor.example'
const frames: HTMLIFrameElement[] = []

/** A stand-in for the editor: the window of a real frame. */
function standIn(): Window {
  const frame = document.createElement('iframe')
  document.body.append(frame)
  frames.push(frame)
  return frame.contentWindow as Window
}

const say = (source: Window | null, origin: string, data: unknown) =>
  window.dispatchEvent(new MessageEvent('message', { source, origin, data }))

function messagesOf(editor: Window | null) {
  const received: FrameMessage[] = []
  const stop = frameBridge(() => editor, ORIGIN).listen((message) => received.push(message))
  return { received, stop }
}

afterEach(() => {
  for (const frame of frames.splice(0)) frame.remove()
})

it('receives messages of the editor in its frame', () => {
  const editor = standIn()
  const { received, stop } = messagesOf(editor)
  say(editor, ORIGIN, { type: 'nodeClick', nodeId: 7 })
  say(editor, ORIGIN, { type: 'outputNodeDefs', nodes: [{ id: '9', name: 'SaveImage', title: 'Save', more: 1 }] })
  expect(received).toEqual([
    { type: 'nodeClick', nodeId: '7' },
    { type: 'outputNodeDefs', nodes: [{ id: '9', name: 'SaveImage', title: 'Save' }] },
  ])
  stop()
})

it('ignores other windows, other origins, and all messages without a frame', () => {
  const editor = standIn()
  const click = { type: 'nodeClick', nodeId: '7' }
  const { received, stop } = messagesOf(editor)
  say(standIn(), ORIGIN, click)
  say(window, ORIGIN, click)
  say(null, ORIGIN, click)
  say(editor, 'https://elsewhere.example', click)
  say(editor, `${ORIGIN}.elsewhere.example`, click)
  stop()
  const none = messagesOf(null)
  say(null, ORIGIN, click)
  none.stop()
  expect([...received, ...none.received]).toEqual([])
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
])('ignores an unknown message: %j', (message) => {
  expect(parseMessage(message)).toBeNull()
})

it("sends only to the editor's origin", () => {
  const editor = { postMessage: vi.fn() } as unknown as Window
  frameBridge(() => editor, ORIGIN).moveToNode('12')
  expect(editor.postMessage).toHaveBeenCalledExactlyOnceWith({ type: 'moveToNode', nodeId: '12' }, ORIGIN)
  expect(() => frameBridge(() => null, ORIGIN).moveToNode('12')).not.toThrow()
})

it('stops after unsubscribing', () => {
  const editor = standIn()
  const { received, stop } = messagesOf(editor)
  stop()
  say(editor, ORIGIN, { type: 'nodeClick', nodeId: '7' })
  expect(received).toEqual([])
})

it("the page's own graph has the same interface", () => {
  const show = vi.fn()
  const bridge = localBridge(show)
  const onMessage = vi.fn()
  const stop = bridge.listen(onMessage)
  bridge.moveToNode('3')
  bridge.emit({ type: 'nodeClick', nodeId: '4' })
  stop()
  bridge.emit({ type: 'nodeClick', nodeId: '5' })
  expect(show).toHaveBeenCalledExactlyOnceWith('3')
  expect(onMessage).toHaveBeenCalledExactlyOnceWith({ type: 'nodeClick', nodeId: '4' })
})
