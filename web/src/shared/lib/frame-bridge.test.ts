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
  { type: 'toString' },
  { type: 'graph', workflow: {} },
  { type: 'graph', requestId: 'graph-1', workflow: 'no JSON object' },
  { type: 'graph', requestId: 'graph-1', workflow: [], prompt: {} },
  { type: 'moveToNode.done' },
  { type: 'importFound', name: 'boats' },
  { type: 'importFound', importId: {}, name: 'boats' },
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

it('reads output nodes in the words of the editor', () => {
  const nodes = [
    { nodeId: '10:6', type: 'SaveImage', title: 'Save', mode: 0, output: true },
    { nodeId: '10:7', type: 'KSampler', title: 'KSampler', mode: 0, output: false },
  ]
  expect(parseMessage({ type: 'outputNodeDefs', flow: null, nodes })).toEqual({
    type: 'outputNodeDefs',
    flow: null,
    nodes: [{ id: '10:6', name: 'SaveImage', title: 'Save' }],
  })
})

it.each([
  [
    { importId: 'import-1', name: 'boats', more: 1 },
    { type: 'importFound', importId: 'import-1', name: 'boats' },
  ],
  [
    { name: 7, reason: 'empty' },
    { type: 'importFailed', name: '', reason: 'empty' },
  ],
  [
    { name: 'a', reason: '<b>' },
    { type: 'importFailed', name: 'a', reason: 'unreadable' },
  ],
  [
    { name: 'a', app: { inputs: 2, outputs: 1 } },
    { type: 'imported', name: 'a', app: { inputs: 2, outputs: 1 } },
  ],
  [
    { name: 'a', app: { inputs: '2', outputs: 1e9 } },
    { type: 'imported', name: 'a', app: null },
  ],
  [
    { name: 'a', app: [] },
    { type: 'imported', name: 'a', app: null },
  ],
])('reads %j about an imported file', (message, read) => {
  expect(parseMessage({ type: read.type, ...message })).toEqual(read)
})

it('asks for the graph, and takes the answer to its own request only', async () => {
  const editor = standIn()
  const sent: { requestId: string }[] = []
  editor.postMessage = ((message: { requestId: string }) => sent.push(message)) as typeof editor.postMessage
  const bridge = frameBridge(() => editor, ORIGIN)
  const [first, second] = [bridge.graph(), bridge.graph()]
  const answer = (at: number, id: string, tab = {}) =>
    say(editor, ORIGIN, {
      type: 'graph',
      requestId: sent[at]?.requestId,
      // A text keeps the digits of large numbers.
      workflow: `{"id":${id}}`,
      prompt: { '1': { class_type: 'A' } },
      ...tab,
    })
  answer(1, '9007199254740993', { flow: null, tab: 'tab-2', name: 'Silk' })
  answer(0, '1')
  const prompt = '{"1":{"class_type":"A"}}'
  expect(await first).toEqual({ requestId: sent[0]?.requestId, workflow: '{"id":1}', prompt })
  const { requestId = '' } = sent[1] ?? {}
  const tab = { flow: null, tab: 'tab-2', name: 'Silk' }
  expect(await second).toEqual({ requestId, workflow: '{"id":9007199254740993}', prompt, ...tab })
})

it('fails if the editor does not send its graph', async () => {
  vi.useFakeTimers()
  const asked = frameBridge(standIn, ORIGIN).graph()
  const failed = expect(asked).rejects.toThrow('the editor did not send its graph')
  await vi.advanceTimersByTimeAsync(15_000)
  await failed
  vi.useRealTimers()
})
