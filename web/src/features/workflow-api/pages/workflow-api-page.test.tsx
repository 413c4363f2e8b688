import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { showAllInView } from '@/shared/testing/in-view'
import {
  API,
  editor,
  findText,
  healthy,
  input,
  node,
  press,
  proposal,
  rjsf,
  saved,
  seed,
  sent,
  setup,
  text,
} from '../testing'
import type { Editor, HealthProblem, Setup } from '../types'

const gone: HealthProblem = { place: 'inputs.6.text', code: 'NODE_GONE', message: 'no node 6' }
const at = (view: { router: { state: { location: { search: string } } } }) => view.router.state.location.search

describe('the first visit', () => {
  it('proposes a setup, which is applied by one press and saved by another', async () => {
    const { requests } = setup(editor())
    expect(await screen.findByText('Not saved yet')).toBeTruthy()
    await press('Use this selection')
    expect(screen.getByText('Unsaved changes')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Use this selection' })).toBeNull()
    await press('Save')
    await findText('saved workflow api')
    expect(sent(requests, 'POST')[0]?.body).toEqual({ workflow: 'workflow-1', ...proposal })
    expect(screen.queryByText('Unsaved changes')).toBeNull()
    expect(screen.getByText('Saved')).toBeTruthy()
  })

  it('keeps edits over a reload until they are discarded', async () => {
    const { unmount } = setup(editor())
    await userEvent.click(await screen.findByRole('checkbox', { name: /^seed/ }))
    unmount()
    setup(editor())
    expect(await screen.findByText('Your unsaved changes were restored.')).toBeTruthy()
    expect((screen.getByRole('checkbox', { name: /^seed/ }) as HTMLInputElement).checked).toBe(true)
    await press('Discard')
    expect((screen.getByRole('checkbox', { name: /^seed/ }) as HTMLInputElement).checked).toBe(false)
  })

  it('offers the app that the workflow brings, and names what it cannot have', async () => {
    setup(editor({ dropped: ['Muted', 'Note: text'] }))
    expect(await screen.findByText('The app of this workflow')).toBeTruthy()
    expect(screen.getByText(/Not taken over from the app: Muted, Note: text\./)).toBeTruthy()
    await press('Use this selection')
    expect(screen.getByText('Unsaved changes')).toBeTruthy()
    expect(screen.queryByText('The app of this workflow')).toBeNull()
  })

  it('starts with the app where the address asks for it', async () => {
    const { requests } = setup(editor({ dropped: [] }), {}, '?tab=detail&app=true')
    expect(await screen.findByText('Unsaved changes')).toBeTruthy()
    expect(screen.queryByText('Your unsaved changes were restored.')).toBeNull()
    await press('Save')
    await findText('saved workflow api')
    expect(sent(requests, 'POST')[0]?.body).toEqual({ workflow: 'workflow-1', ...proposal })
  })

  it('keeps a saved setup where the address asks for the app', async () => {
    setup(editor({ dropped: ['Muted'], saved: saved() }), {}, '?app=true')
    expect(await screen.findByText('Saved')).toBeTruthy()
    expect(screen.queryByText(/Not taken over/)).toBeNull()
  })

  it('says when the workflow has no runnable nodes', async () => {
    setup(editor({ hasPrompt: false, nodes: [], outputs: [] }))
    expect(await screen.findByText('This workflow cannot run yet')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  })
})

describe('saving', () => {
  it('is refused without an input with a field, then without an output', async () => {
    const view = setup(editor({ saved: null }))
    await press('Save')
    expect(await screen.findByText(/no input has an API field/)).toBeTruthy()
    await press('OK')
    await userEvent.click(await screen.findByRole('checkbox', { name: /^seed/ }))
    await press('Save')
    expect(await screen.findByText('Specify an output.')).toBeTruthy()
    expect(sent(view.requests, 'POST')).toEqual([])
    expect(at(view)).toBe('')
  })

  it('is refused if an entry is invalid, and opens its details', async () => {
    const problems = [gone]
    const view = setup(editor({ saved: saved({ health: { ok: false, problems } }) }), {
      [`POST ${API}/preview`]: { body: { rjsf, health: { ok: false, problems } } },
    })
    const dialog = await screen.findByRole('dialog', { name: 'Please check the setup' })
    expect(within(dialog).getByText(/the current workflow does not have this node/)).toBeTruthy()
    expect(at(view)).toContain('tab=detail')
    await userEvent.click(within(dialog).getByRole('button', { name: 'OK' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    // A known problem is not announced again, but still blocks saving.
    await press('Save')
    expect(await screen.findByRole('dialog', { name: 'Please check the setup' })).toBeTruthy()
    expect(sent(view.requests, 'POST')).toEqual([])
    await press('OK')
    await press('Remove text')
    await waitFor(() => expect(screen.queryByText(/does not have this node/)).toBeNull())
  })

  it("shows the server's reason, or a general one", async () => {
    let status = 422
    setup(editor({ saved: saved() }), {
      [`POST ${API}`]: () => ({ status, body: { code: 'WORKFLOW_API_NO_PROMPT', message: 'no prompt is there' } }),
    })
    await userEvent.click(await screen.findByRole('checkbox', { name: /^seed/ }))
    await press('Save')
    await findText('no prompt is there')
    status = 500
    await press('Save')
    await findText('failed to save workflow api')
  })
})

describe('a changed workflow', () => {
  it('is compared with the setup after the server reports problems', async () => {
    let problems: HealthProblem[] = []
    setup(editor({ saved: saved() }), {
      [`POST ${API}/preview`]: () => ({ body: { rjsf, health: { ok: problems.length === 0, problems } } }),
      [`POST ${API}`]: { status: 422, body: { code: 'WORKFLOW_API_UNHEALTHY', message: 'no' } },
    })
    await screen.findByRole('button', { name: 'Test run' })
    problems = [gone]
    await press('Save')
    const dialog = await screen.findByRole('dialog', { name: 'Please check the setup' })
    expect(await within(dialog).findByText(/the current workflow does not have this node/)).toBeTruthy()
  })

  it('keeps the form of the saved version, which still runs', async () => {
    const problems = [gone]
    const health = { ok: false, problems }
    const { requests } = setup(editor({ saved: saved({ health }) }), {
      [`POST ${API}/preview`]: { body: { rjsf: { schema: { type: 'object', properties: {} }, uiSchema: {} }, health } },
      'POST /api/general/job/workflow-api/api-1': { status: 402, body: { code: 'OUT_OF_CREDITS', message: 'no' } },
    })
    await press('OK')
    expect(await findText(/^This is the form of the saved version/)).toBeTruthy()
    await press('Test run')
    await findText('You are out of credits')
    expect(sent(requests, 'POST', '/api/general/job/workflow-api/api-1')[0]?.body).toEqual({ text: 'a boat' })
  })
})

describe('deleting', () => {
  it('is unavailable before the first save', async () => {
    const { requests } = setup(editor())
    await press('Delete')
    await findText('workflow api not found')
    expect(sent(requests, 'DELETE', `${API}/api-1`)).toEqual([])
  })

  it('asks first', async () => {
    const { requests } = setup(editor({ saved: saved() }))
    await press('Delete')
    const question = await screen.findByRole('dialog', { name: /Delete the API of Silk/ })
    expect(sent(requests, 'DELETE', `${API}/api-1`)).toEqual([])
    await userEvent.click(within(question).getByRole('button', { name: 'Delete' }))
    await findText('deleted workflow api')
    expect(await screen.findByText('Not saved yet')).toBeTruthy()
  })
})

describe('a test run', () => {
  const run = async () => userEvent.click(await screen.findByRole('button', { name: 'Test run' }))

  it('needs a saved API without changes', async () => {
    const { unmount } = setup(editor())
    await press('Use this selection')
    await run()
    await findText('Save the workflow API first.')
    unmount()
    localStorage.clear()
    setup(editor({ saved: saved() }))
    await userEvent.click(await screen.findByRole('checkbox', { name: /^seed/ }))
    await run()
    await findText('There are changes. Save before testing.')
  })

  it('is a real job of the saved version', async () => {
    const { requests } = setup(editor({ saved: saved() }), {
      'POST /api/general/job/workflow-api/api-1': { status: 402, body: { code: 'OUT_OF_CREDITS', message: 'no' } },
    })
    await run()
    expect(await screen.findByText('You are out of credits')).toBeTruthy()
    const [job] = sent(requests, 'POST', '/api/general/job/workflow-api/api-1')
    expect(job?.body).toEqual({ text: 'a boat' })
  })
})

describe('a file', () => {
  it('that a run may go without is sent as such', async () => {
    const file = input('4', 'image', { order: 1, adapter: { name: 'Second', uiType: 'image', apiFieldName: 'second' } })
    const start = editor({ nodes: [node('4', 'Load', [file])], saved: saved({ inputs: { '4.image': file } }) })
    const { requests } = setup(start, {}, '?tab=detail')
    await userEvent.click(await screen.findByRole('switch', { name: 'Runs without the file' }))
    await waitFor(() => {
      const last = sent(requests, 'POST', `${API}/preview`).at(-1)?.body as Setup
      expect(last.inputs['4.image']?.adapter.isOptional).toBe(true)
    })
  })
})

describe('a rejected setting', () => {
  it('is marked at its field, and the form keeps typed values', async () => {
    const inputs = { '3.seed': seed }
    const fields = [{ field: 'inputs.3.seed.adapter.default', message: 'too large' }]
    const number = { type: 'integer', title: 'seed', default: -1 }
    const form = {
      schema: { type: 'object', properties: { seed: number } },
      uiSchema: { seed: { 'ui:widget': 'seed' } },
    }
    setup(
      editor({ saved: saved({ inputs }) }),
      {
        [`POST ${API}/preview`]: async (request) => {
          const sent = (await request.clone().json()) as Setup
          return sent.inputs['3.seed']?.adapter.isRandom === false
            ? { status: 400, body: { code: 'VALIDATION_FAILED', message: 'no', details: fields } }
            : { body: { rjsf: form, health: healthy } }
        },
      },
      '?tab=detail',
    )
    const preview = within(await screen.findByRole('region', { name: 'Form preview' }))
    await userEvent.click(await preview.findByRole('radio', { name: 'Fixed' }))
    const { value } = preview.getByRole('textbox') as HTMLInputElement
    await userEvent.click(within(screen.getByRole('list', { name: 'Inputs' })).getByRole('radio', { name: 'Fixed' }))
    expect(await screen.findByText('too large')).toBeTruthy()
    expect(preview.getByText(/One of the settings is not valid/)).toBeTruthy()
    expect((preview.getByRole('textbox') as HTMLInputElement).value).toBe(value)
  })

  it('opens its card after a refused save', async () => {
    const second = { ...seed, order: 2 }
    const refusal = {
      status: 400,
      body: {
        code: 'VALIDATION_FAILED',
        message: 'a setting is not valid',
        details: [{ field: 'inputs.3.seed.adapter.default', message: 'too large' }],
      },
    }
    const view = setup(editor({ proposal: { ...proposal, inputs: { '6.text': text, '3.seed': second } } }), {
      [`POST ${API}/preview`]: refusal,
      [`POST ${API}`]: refusal,
    })
    await press('Use this selection')
    await press('Save')
    await findText('a setting is not valid')
    expect(at(view)).toContain('tab=detail')
    expect(await findText('too large')).toBeTruthy()
  })
})

describe('refreshing', () => {
  it('shows a failure and keeps the old data', async () => {
    let broken = false
    setup(editor({ saved: saved() }), {
      [`GET ${API}/editor/workflow-1`]: () =>
        broken ? { status: 500, body: { code: 'INTERNAL', message: 'no' } } : { body: editor({ saved: saved() }) },
    })
    await screen.findByText('Saved')
    broken = true
    await press('Refresh')
    await findText('failed to refresh')
    expect(screen.getByRole('checkbox', { name: /^seed/ })).toBeTruthy()
  })
})

describe('the details', () => {
  it('mark duplicate names, and fix a seed', async () => {
    const inputs = { '6.text': text, '3.seed': { ...seed, order: 2 } }
    setup(editor({ saved: saved({ inputs }) }), {}, '?tab=detail')
    const [first] = await screen.findAllByRole('textbox', { name: 'API field name' })
    await userEvent.clear(first as HTMLElement)
    await userEvent.type(first as HTMLElement, 'seed')
    expect(await screen.findByText('Another field has this name already.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: /^seed ?#3/ }))
    await userEvent.click(await screen.findByRole('radio', { name: 'Fixed' }))
    const number = screen.getAllByRole('textbox', { name: 'Default' }).at(-1) as HTMLInputElement
    expect(Number(number.value)).toBeGreaterThanOrEqual(0)
    expect(Number(number.value)).toBeLessThan(1000)
  })

  it('open the card of a node pressed in the drawing', async () => {
    const { matchMedia } = window
    vi.stubGlobal('matchMedia', (query: string) => ({ ...matchMedia(query), matches: true }))
    setup(editor({ saved: saved() }), {}, '?tab=detail')
    const output = await screen.findByRole('button', { name: /^Picture ?#9/ })
    expect(output.getAttribute('aria-expanded')).toBe('false')
    await userEvent.click(await screen.findByRole('button', { name: '#9 Save' }))
    await waitFor(() => expect(output.getAttribute('aria-expanded')).toBe('true'))
    await waitFor(() => expect(document.activeElement).toBe(output))
  })
})

describe('the node editor beside the lists', () => {
  const frame = () => document.querySelector('iframe')
  const say = (data: object) =>
    act(() => {
      const source = frame()?.contentWindow ?? null
      window.dispatchEvent(new MessageEvent('message', { source, origin: window.location.origin, data }))
    })

  async function withFrame(change: Partial<Editor> = {}, query = '') {
    const { matchMedia } = window
    vi.stubGlobal('matchMedia', (query: string) => ({ ...matchMedia(query), matches: query.includes('min-width') }))
    showAllInView()
    const view = setup(
      editor({ saved: saved(), ...change }),
      { 'GET /comfyui-editor/installed.json': { body: { installed: true } } },
      query,
    )
    await waitFor(() => expect(frame()?.getAttribute('src')).toBe('/comfyui-editor/?flow=workflow-1&readonly=true'))
    const sent = vi.spyOn(frame()?.contentWindow as Window, 'postMessage')
    return { ...view, moved: () => sent.mock.calls.map(([message]) => message) }
  }

  it('shows the focused node, also one that was focused before it was ready', async () => {
    const { moved } = await withFrame()
    const inputs = within(screen.getByRole('region', { name: 'Inputs' }))
    await userEvent.click(inputs.getByRole('button', { name: /^#6/ }))
    say({ type: 'editorReady', version: '1' })
    expect(moved().at(-1)).toEqual({ type: 'moveToNode', nodeId: '6' })
    await userEvent.click(screen.getByRole('checkbox', { name: /^seed/ }))
    expect(moved().at(-1)).toEqual({ type: 'moveToNode', nodeId: '3' })
  })

  it('opens the card of a node that is clicked in it', async () => {
    await withFrame({}, '?tab=detail')
    say({ type: 'editorReady', version: '1' })
    const output = await screen.findByRole('button', { name: /^Picture ?#9/ })
    say({ type: 'nodeClick', nodeId: '9' })
    await waitFor(() => expect(output.getAttribute('aria-expanded')).toBe('true'))
    await waitFor(() => expect(document.activeElement).toBe(output))
  })

  it('names drawn output nodes that do not run', async () => {
    await withFrame()
    say({ type: 'editorReady', version: '1' })
    const nodes = [
      { id: 9, name: 'SaveImage', title: 'Save', output: true },
      { id: 12, name: 'PreviewImage', title: 'Muted preview', output: true },
      { id: 3, name: 'KSampler', title: 'KSampler', output: false },
    ]
    say({ type: 'outputNodeDefs', nodes })
    const outputs = within(screen.getByRole('region', { name: 'Outputs' }))
    expect(outputs.getByRole('button', { name: /Muted preview/ })).toBeTruthy()
    expect(outputs.getAllByText(/^This node does not run/)).toHaveLength(1)
    expect(outputs.getAllByRole('checkbox')).toHaveLength(1)
  })
})
