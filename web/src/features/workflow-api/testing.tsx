import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import WorkflowApiPage from './pages/workflow-api-page'
import type { Editor, EditorNode, InputEntry, SavedApi, Setup } from './types'

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

const PATH = '/workflow-api/workflow-1'
export const API = '/api/general/workflow-api'
const VERSIONS = `GET ${API}/api-1/version`

const entry = (id: string, name: string, uiType: 'textarea' | 'seed') =>
  input(id, name, {
    order: 1,
    raw: uiType === 'seed' ? ['INT', { min: 0, max: 1000 }] : ['STRING', {}],
    adapter: { name, uiType, apiFieldName: name, ...(uiType === 'seed' && { isRandom: true }) },
  })
export const text = entry('6', 'text', 'textarea')
export const seed = entry('3', 'seed', 'seed')
const picture = { id: '9', order: 1, name: 'Picture', apiFieldName: 'picture' }
export const proposal: Setup = { inputs: { '6.text': text }, outputs: { '9': picture } }

export const rjsf = {
  schema: { type: 'object', properties: { text: { type: 'string', title: 'text', default: 'a boat' } } },
  uiSchema: { text: { 'ui:widget': 'textarea' } },
}
export const healthy = { ok: true, problems: [] }
export const saved = (change: Partial<SavedApi> = {}): SavedApi => ({
  _id: 'api-1',
  id: 'api-1',
  version: 'version-2',
  ...proposal,
  health: healthy,
  rjsf,
  works: { ok: null, checkedAt: null, missing: { classes: [], models: [] } },
  updatedAt: '2026-11-20T08:00:00Z',
  workflow: { _id: 'workflow-1', name: 'Silk' },
  ...change,
})
export const editor = (change: Partial<Editor> = {}): Editor => ({
  hasPrompt: true,
  workflow: { _id: 'workflow-1', name: 'Silk' },
  nodes: [node('3', 'KSampler', [seed]), node('6', 'Words', [text]), node('9', 'Save', [], { output_node: true })],
  outputs: [picture],
  proposal,
  saved: null,
  ...change,
})
const prompt = { workflow: null, output: { 6: { class_type: 'Words', inputs: {} }, 9: { class_type: 'Save' } } }

export const findText = (text: string | RegExp) => screen.findByText(text)

export function setup(start: Editor, handlers: Parameters<typeof stubApi>[0] = {}, query = '') {
  const requests = stubApi({
    'GET /api/auth': { body: user() },
    [`GET ${API}/editor/workflow-1`]: { body: start },
    [`POST ${API}/preview`]: { body: { rjsf, health: healthy } },
    'GET /api/general/workflow/workflow-1': { body: { prompt: JSON.stringify(prompt) } },
    [`POST ${API}`]: async (request) => ({ status: 201, body: saved((await request.clone().json()) as Setup) }),
    [`DELETE ${API}/api-1`]: { status: 204 },
    'GET /api/general/workflow-api-shared/api-1/shared-users': { body: { items: [] } },
    [VERSIONS]: { body: { items: [], nextCursor: null } },
    ...handlers,
  })
  const view = renderApp(<Place />, { path: `${PATH}${query}` })
  return { requests, ...view }
}
const Place = () => (
  <Routes>
    <Route path="/workflow-api/:workflowId" element={<WorkflowApiPage />} />
  </Routes>
)

export const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
export const sent = (requests: { method: string; path: string; body: unknown }[], method: string, path = API) =>
  requests.filter((one) => one.method === method && one.path === path)
