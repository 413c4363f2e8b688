import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { Generator, GeneratorPage, WorkerModel } from '@/shared/api/types'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import AdminGeneratorsPage from './admin-generators-page'

const LIST = 'GET /api/admin/generator'
const SET = 'PUT /api/admin/generator/model'
const FORGET = 'DELETE /api/admin/generator/model'
const FILE = 'dreamshaper.safetensors'

const generator = (change: Partial<Generator> = {}): Generator => ({
  recipe: 'sdxl-text-to-image',
  task: 'TextToImage',
  family: 'Sdxl',
  model: 'sd_xl_base.safetensors',
  workflow: 'w-1',
  isLive: true,
  failure: null,
  licence: { name: 'OpenRAIL++', commercial: 'Yes', note: 'Harmful uses are forbidden.', noteKo: '해로운 용도 금지' },
  memoryGib: 6.9,
  ...change,
})
const flux = generator({
  recipe: 'flux1-dev-inpaint',
  task: 'Inpaint',
  family: 'Flux1Dev',
  model: 'flux1-dev.safetensors',
  workflow: 'w-2',
  isLive: false,
  licence: { name: 'FLUX.1 Non-Commercial', commercial: 'No', note: 'Ask for a licence.', noteKo: '라이선스 필요' },
  memoryGib: null,
})
const broken = generator({
  recipe: 'describe-image-built-in',
  task: 'DescribeImage',
  family: null,
  model: '',
  workflow: null,
  failure: 'the mini app has no output',
  licence: null,
})
const model = (change: Partial<WorkerModel> = {}): WorkerModel => ({
  folder: 'checkpoints',
  file: FILE,
  family: null,
  isSet: false,
  like: null,
  ...change,
})
const NAMES = [
  { folder: 'checkpoints', name: 'v1_5_pruned', family: 'Sd15' },
  { folder: 'checkpoints', name: 'sd_xl', family: 'Sdxl' },
  { folder: 'diffusion_models', name: 'flux1_dev', family: 'NewerFamily' },
]
const listed = (page: Partial<GeneratorPage> = {}) => ({
  body: { generators: [generator(), flux, broken], models: [model()], names: NAMES, ...page },
})
const MODELS = { path: '/admin/list/verdigraph-generator?part=models' }

const rowOf = async (name: string | RegExp) =>
  within((await screen.findByText(name)).closest('tr') ?? document.createElement('tr'))
const select = () => screen.findByLabelText<HTMLSelectElement>(`What ${FILE} is`)
const save = () => screen.findByRole('button', { name: `Save what ${FILE} is` })

describe('the list of generators', () => {
  it('shows state, licence, memory and the workflow', async () => {
    stubApi({ [LIST]: listed() })
    renderApp(<AdminGeneratorsPage />)
    const live = await rowOf('sd_xl_base.safetensors')
    for (const text of ['SDXL', 'Live', 'OpenRAIL++', 'Commercial use', 'Harmful uses are forbidden.', '6.9 GiB']) {
      expect(live.getByText(text)).toBeTruthy()
    }
    const link = live.getByRole('link', { name: 'Picture from words · sd_xl_base.safetensors' })
    expect(link.getAttribute('href')).toBe('/admin/workflows/w-1')
    const away = await rowOf('flux1-dev.safetensors')
    for (const text of ['Worker not connected', 'No commercial use', 'Not stated']) {
      expect(away.getByText(text)).toBeTruthy()
    }
  })

  it('shows why a generator failed, and that its earlier version runs', async () => {
    stubApi({ [LIST]: listed({ generators: [broken, generator({ failure: 'no tag' })] }) })
    renderApp(<AdminGeneratorsPage />)
    const row = await rowOf('describe-image-built-in')
    expect(row.getByText('Failed')).toBeTruthy()
    expect(row.getByText('the mini app has no output')).toBeTruthy()
    expect(row.queryByRole('link')).toBeNull()
    expect(row.queryByText(/earlier version/)).toBeNull()
    expect((await rowOf('no tag')).getByText('Its earlier version still runs.')).toBeTruthy()
  })

  it('is filtered by task, state and text, kept in the address', async () => {
    stubApi({ [LIST]: listed() })
    const { router } = renderApp(<AdminGeneratorsPage />)
    const rows = () => screen.queryAllByRole('row').length - 1
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Task' }), 'Inpaint')
    expect(rows()).toBe(1)
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'live')
    expect(screen.getByText('Nothing matches these filters')).toBeTruthy()
    expect(router.state.location.search).toBe('?task=Inpaint&state=live')
    await userEvent.click(screen.getByRole('button', { name: 'Show all' }))
    expect(rows()).toBe(3)
    await userEvent.type(screen.getByLabelText('Search by model, family or task'), 'flux.1 part{Enter}')
    expect(rows()).toBe(1)
    expect(screen.getByText('flux1-dev.safetensors')).toBeTruthy()
  })

  it('says what to connect if there are none, and can be retried if it fails', async () => {
    let answer: { status?: number; body: unknown } = { status: 503, body: { code: 'UNAVAILABLE', message: 'x' } }
    stubApi({ [LIST]: () => answer })
    renderApp(<AdminGeneratorsPage />)
    const retry = await screen.findByRole('button', { name: 'Try Again' })
    answer = listed({ generators: [] })
    await userEvent.click(retry)
    expect(await screen.findByText('There are no generators yet')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Show the workers' }).getAttribute('href')).toBe('/admin')
  })
})

describe('the model files', () => {
  it('show what they are taken for and who decided', async () => {
    const set = model({ folder: 'diffusion_models', file: 'b.gguf', family: 'NewerFamily', isSet: true, like: 'gone' })
    stubApi({ [LIST]: listed({ models: [model(), set] }) })
    renderApp(<AdminGeneratorsPage />, MODELS)
    const unused = await rowOf(FILE)
    expect(unused.getByText('No generator uses it', { selector: 'span' })).toBeTruthy()
    expect(unused.getByText('Name or header')).toBeTruthy()
    const row = await rowOf('b.gguf')
    expect(row.getByText('NewerFamily')).toBeTruthy()
    expect(row.getByText('An admin')).toBeTruthy()
    // A chosen name stays, even if no recipe has it any more.
    const options = row.getAllByRole<HTMLOptionElement>('option')
    expect(options.map(({ value }) => value)).toEqual(['auto', 'none', 'like:gone', 'like:flux1_dev'])
    expect(row.getByRole<HTMLSelectElement>('combobox').value).toBe('like:gone')
  })

  it('are set to a model of their folder, and the page refetches until generators follow', async () => {
    let models = [model()]
    const requests = stubApi({
      [LIST]: () => listed({ models }),
      [SET]: () => {
        models = [model({ family: 'Sdxl', isSet: true, like: 'sd_xl' })]
        return { status: 204 }
      },
    })
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    renderApp(<AdminGeneratorsPage />, MODELS)
    expect((await select()).value).toBe('auto')
    await user.selectOptions(await select(), 'like:sd_xl')
    expect(requests.some(({ method }) => method === 'PUT')).toBe(false)
    await user.click(await save())
    expect(await screen.findByText(`“${FILE}” is like sd_xl`)).toBeTruthy()
    expect(screen.getByText('Generators follow within a minute.')).toBeTruthy()
    const sent = requests.filter(({ method }) => method === 'PUT')
    expect(sent.map(({ body }) => body)).toEqual([{ folder: 'checkpoints', file: FILE, like: 'sd_xl' }])
    expect((await select()).value).toBe('like:sd_xl')
    expect(document.activeElement).toBe(await select())
    expect(screen.queryByRole('button', { name: /^Save what/ })).toBeNull()

    const reads = () => requests.filter(({ method }) => method === 'GET').length
    const before = reads()
    await act(() => vi.advanceTimersByTimeAsync(10_500))
    await waitFor(() => expect(reads()).toBe(before + 1))
    expect(screen.getByText('Generators are being updated…')).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(50_000))
    expect(screen.queryByText('Generators are being updated…')).toBeNull()
  })

  it('are left to no generator, or to name and header again', async () => {
    let models = [model({ family: 'Sdxl' })]
    const requests = stubApi({
      [LIST]: () => listed({ models }),
      [SET]: () => {
        models = [model({ isSet: true })]
        return { status: 204 }
      },
      [FORGET]: () => {
        models = [model({ family: 'Sdxl' })]
        return { status: 204 }
      },
    })
    renderApp(<AdminGeneratorsPage />, MODELS)
    await userEvent.selectOptions(await select(), 'none')
    await userEvent.click(await save())
    expect(await screen.findByText(`No generator uses “${FILE}”`)).toBeTruthy()
    await userEvent.selectOptions(await select(), 'auto')
    await userEvent.click(await save())
    expect(await screen.findByText(`Name and header decide what “${FILE}” is`)).toBeTruthy()
    const writes = requests.filter(({ method }) => method !== 'GET')
    expect(writes.map(({ method, search, body }) => [method, search, body])).toEqual([
      ['PUT', '', { folder: 'checkpoints', file: FILE, like: null }],
      ['DELETE', `?folder=checkpoints&file=${FILE}`, undefined],
    ])
  })

  it('keep the choice if it cannot be saved', async () => {
    stubApi({ [LIST]: listed(), [SET]: { status: 422, body: { code: 'VALIDATION_FAILED', message: 'unknown name' } } })
    renderApp(<AdminGeneratorsPage />, MODELS)
    await userEvent.selectOptions(await select(), 'like:sd_xl')
    await userEvent.click(await save())
    expect(await screen.findByText('Something went wrong: unknown name')).toBeTruthy()
    expect((await select()).value).toBe('like:sd_xl')
  })

  it('are missing without a connected worker, or without a model', async () => {
    let state = 'Gone'
    stubApi({
      [LIST]: listed({ models: [] }),
      'GET /api/admin/worker': () => ({ body: { items: [{ _id: 'w', name: 'north', state }] } }),
    })
    const { unmount } = renderApp(<AdminGeneratorsPage />, MODELS)
    expect(await screen.findByText('No worker is connected')).toBeTruthy()
    unmount()
    state = 'Idle'
    renderApp(<AdminGeneratorsPage />, MODELS)
    expect(await screen.findByText('The workers have no models for generators')).toBeTruthy()
    expect(screen.getByText(/: checkpoints, diffusion_models\./)).toBeTruthy()
  })

  it('are opened by a tab, which starts without a search', async () => {
    stubApi({ [LIST]: listed() })
    const { router } = renderApp(<AdminGeneratorsPage />, { path: '/?keyword=flux' })
    await userEvent.click(await screen.findByRole('tab', { name: 'Model files (1)' }))
    expect(router.state.location.search).toBe('?part=models')
    await userEvent.type(screen.getByLabelText('Search by file, folder or family'), 'nothing like it{Enter}')
    expect(screen.getByText('Nothing matches these filters')).toBeTruthy()
  })
})
