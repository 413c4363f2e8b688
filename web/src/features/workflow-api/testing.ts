import type { EditorNode, InputEntry } from './types'

/** Factories of inputs and nodes. */
export const input = (id: string, name: string, change: Partial<InputEntry> = {}): InputEntry => ({
  order: 0,
  id,
  kind: 'required',
  name,
  nodeName: 'Node',
  nodeDisplayName: 'Node',
  pythonModuleName: 'nodes',
  raw: ['STRING', {}],
  adapter: {},
  ...change,
})

export const node = (
  id: string,
  title: string,
  inputs: InputEntry[],
  change: Partial<EditorNode> = {},
): EditorNode => ({
  id,
  title,
  name: title.replaceAll(' ', ''),
  display_name: title,
  python_module: 'nodes',
  output_node: false,
  missing: false,
  inputs: { required: Object.fromEntries(inputs.map((one) => [one.name, one])), optional: {} },
  ...change,
})
