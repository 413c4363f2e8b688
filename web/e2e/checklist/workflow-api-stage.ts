import type { Page } from '@playwright/test'
import { mockSuccess } from './row'

export const WORKFLOW = '01970000-0000-7000-8000-0000000000aa'
export const API = '01970000-0000-7000-8000-0000000000ab'
export const PATH = `/workflow-api/${WORKFLOW}`
export const EDITOR = `**/api/general/workflow-api/editor/${WORKFLOW}`
export const SHARED = '**/api/general/workflow-api-shared'

export const input = (id: string, name: string, uiType: string, raw: unknown, more: object = {}) => ({
  order: 1,
  id,
  kind: 'required',
  name,
  nodeName: 'Node',
  nodeDisplayName: 'Node',
  pythonModuleName: 'nodes',
  raw,
  adapter: { name, uiType, apiFieldName: `${id}.Node.${name}`, ...more },
})
const words = input('6', 'text', 'textarea', ['STRING', { multiline: true }], { default: 'a boat' })
const seed = input('3', 'seed', 'seed', ['INT', { min: 0, max: 2 ** 53 }], { isRandom: true })
export const steps = input('3', 'steps', 'range', ['INT', {}], { default: 20 })
const prefix = { ...input('9', 'prefix', 'text', ['STRING', {}]), kind: 'optional' }
const output = { id: '9', order: 1, name: 'Picture', apiFieldName: 'picture' }
const preview = { id: '10', order: 0, name: 'Preview', apiFieldName: '10.Preview' }

type Input = typeof words
const node = (id: string, title: string, required: Input[], more: object = {}) => ({
  id,
  title,
  name: title,
  display_name: title,
  python_module: 'nodes',
  output_node: false,
  missing: false,
  inputs: { required: Object.fromEntries(required.map((one) => [one.name, one])), optional: {} },
  ...more,
})
const NODES = [
  node('3', 'KSampler', [seed, steps]),
  node('6', 'Words', [words]),
  node('9', 'Save', [], { output_node: true, inputs: { required: {}, optional: { prefix } } }),
  node('12', 'Unheard', [], { missing: true }),
]
export const keyed = (inputs: Input[]) =>
  Object.fromEntries(inputs.map((one, at) => [`${one.id}.${one.name}`, { ...one, order: at + 1 }]))
const rjsf = {
  schema: {
    type: 'object',
    properties: { '6.Node.text': { type: 'string', title: 'text', default: 'a boat', maxLength: 100 } },
    required: ['6.Node.text'],
  },
  uiSchema: { '6.Node.text': { 'ui:widget': 'textarea' } },
}
const healthy = { ok: true, problems: [] as object[] }
export const saved = {
  _id: API,
  inputs: keyed([words, seed]),
  outputs: { 9: output },
  rjsf,
  health: healthy,
  works: { ok: null as boolean | null, checkedAt: null, missing: { classes: [] as string[], models: [] as string[] } },
  updatedAt: '2026-01-01T00:00:00Z',
  workflow: { _id: WORKFLOW, name: 'Silk' },
}
const editor = {
  hasPrompt: true,
  workflow: { _id: WORKFLOW, name: 'Silk' },
  nodes: NODES,
  outputs: [output, preview],
  proposal: { inputs: keyed([words]), outputs: { 9: output } },
  saved: saved as typeof saved | null,
}
const prompt = JSON.stringify({
  output: { 3: { class_type: 'KSampler' }, 6: { class_type: 'Words' }, 9: { class_type: 'Save' } },
})

const version = (id: string, isCurrent: boolean) => ({
  _id: id,
  isCurrent,
  createdAt: '2026-01-01T00:00:00Z',
  run: `/api/general/job/workflow-api/${API}/version/${id}`,
  openapi: `/api/public/workflow-api/${API}/version/${id}/openapi`,
})
export const OLD_VERSION = version('01970000-0000-7000-8000-0000000000ae', false)
const VERSIONS = { items: [version('01970000-0000-7000-8000-0000000000af', true), OLD_VERSION], nextCursor: null }

/** Mocks the editor with these overrides. `shared` are the users with whom the API is shared. */
export const stage =
  (change: Partial<typeof editor> = {}, problems: object[] = [], shared: object[] = []) =>
  async (page: Page) => {
    const health = { ok: problems.length === 0, problems }
    // Removes the previous line's unsaved draft from this browser.
    await page.addInitScript((id) => localStorage.removeItem(`vg.api.${id}`), WORKFLOW)
    await mockSuccess(page, 'GET', EDITOR, { ...editor, ...change })
    // The graph is our own drawing, except where a row stands in for the node editor.
    await page.route('**/comfyui-editor/installed.json', (route) => route.fulfill({ json: { installed: false } }))
    await mockSuccess(page, 'POST', '**/api/general/workflow-api/preview', { rjsf, health })
    await mockSuccess(page, 'GET', `**/api/general/workflow/${WORKFLOW}*`, { name: 'Silk', prompt })
    await mockSuccess(page, 'GET', `${SHARED}/${API}/shared-users`, { items: shared })
    await mockSuccess(page, 'GET', `**/api/general/webhook-config/${API}`, { items: [] })
    await mockSuccess(page, 'GET', `**/api/general/workflow-api/${API}/version?*`, VERSIONS)
  }
export const fresh = stage({ saved: null })

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('main').getByRole('button', { name, exact: typeof name === 'string' })
export const choice = (page: Page, name: string) => page.getByRole('checkbox', { name: new RegExp(`^${name}\\b`) })
export const cards = (page: Page, part: 'Inputs' | 'Outputs') =>
  page.getByRole('list', { name: part, exact: true }).getByRole('article')
