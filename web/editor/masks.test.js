import { expect, it, vi } from 'vitest'
import { drawMaskOn, replaceMaskEditor } from './masks.js'

const image = (value) => ({ widgets: [{ name: 'image', value }] })
const requested = (selected, nodes) => {
  const post = vi.fn()
  drawMaskOn(
    selected,
    nodes.map((node, index) => ({ node, id: index + 1 })),
    post,
  )
  return post.mock.calls[0][0]
}

it('the mask goes to the selected node, or to the only one with a picture', () => {
  const [a, b, other] = [image('a.png'), image('clipspace/b.png [input]'), { widgets: [{ name: 'seed' }] }]
  expect(requested([b], [a, b, other])).toEqual({
    type: 'maskRequested',
    nodeId: '2',
    value: 'clipspace/b.png [input]',
  })
  expect(requested([other], [a, other])).toMatchObject({ nodeId: '1', value: 'a.png' })
  expect(requested([], [a, b]), 'an arbitrary node was chosen').toMatchObject({ nodeId: '', value: null })
  expect(requested([a, b], [a, b])).toMatchObject({ value: null })
  expect(requested([], [other])).toMatchObject({ value: '' })
  expect(requested([], [image(undefined)])).toMatchObject({ nodeId: '1', value: '' })
})

it('the command of the front end opens the page editor for nodes with an input picture only', () => {
  const stock = vi.fn()
  const command = { id: 'Comfy.MaskEditor.OpenMaskEditor', function: stock }
  const app = { extensionManager: { command: { commands: [command] } }, canvas: { selected_nodes: {} } }
  const draw = vi.fn()
  replaceMaskEditor(app, draw)
  const node = image('a.png')
  app.canvas.selected_nodes = { 1: node }
  command.function()
  expect(draw).toHaveBeenCalledExactlyOnceWith(node)
  expect(stock).not.toHaveBeenCalled()
  app.canvas.selected_nodes = { 2: { widgets: [] } }
  command.function()
  expect(stock).toHaveBeenCalledOnce()
})
