import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { takeHandedFile } from '@/shared/lib/handed-file'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import ImportDialog from './import-dialog'

const GRAPH = JSON.stringify({ 1: { class_type: 'EmptyImage', inputs: { width: 8, height: 8 } } })
const file = (name: string, text = GRAPH) => new File([text], name, { type: 'application/json' })

async function setup() {
  const info = { body: { EmptyImage: { input: { required: {} } } } }
  stubApi({ 'GET /api/general/object-info': info })
  const { router } = renderApp(<ImportDialog onClose={() => undefined} />)
  const name = await screen.findByRole<HTMLInputElement>('textbox')
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('no field for the file')
  return { name, router, choose: (chosen: File) => userEvent.upload(input, chosen) }
}

describe('the name of an uploaded workflow', () => {
  it('follows the chosen file', async () => {
    const { name, choose } = await setup()
    await choose(file('boats.json'))
    await waitFor(() => expect(name.value).toBe('boats'))
    await choose(file('trees.json'))
    await waitFor(() => expect(name.value).toBe('trees'))
  })

  it('stays once it was typed', async () => {
    const { name, choose } = await setup()
    await userEvent.type(name, 'Mine')
    await choose(file('boats.json'))
    expect(await screen.findByText('boats.json')).toBeTruthy()
    expect(name.value).toBe('Mine')
  })

  it('is cleared with the file when the next one is invalid, with one message', async () => {
    const { name, choose } = await setup()
    await choose(file('boats.json'))
    await waitFor(() => expect(name.value).toBe('boats'))
    await choose(file('notes.json', '[]'))
    expect(await screen.findAllByText(/not a workflow/i)).toHaveLength(1)
    expect(screen.queryByText('boats.json')).toBeNull()
    expect(name.value).toBe('')
  })

  it('is that of the last chosen file, whichever is read first', async () => {
    const { name, choose } = await setup()
    const slow = file('boats.json')
    let resolve: (text: string) => void = () => undefined
    const reading = new Promise<string>((done) => {
      resolve = done
    })
    slow.text = () => reading
    await choose(slow)
    await choose(file('trees.json'))
    await waitFor(() => expect(name.value).toBe('trees'))
    await act(async () => resolve(GRAPH))
    expect(name.value).toBe('trees')
    expect(screen.queryByText('boats.json')).toBeNull()
  })
})

describe('a file that the dialog cannot read', () => {
  it('replaces the file before it, and says so', async () => {
    const { name, choose } = await setup()
    await choose(file('boats.json'))
    await waitFor(() => expect(name.value).toBe('boats'))
    const gone = file('gone.json')
    gone.text = () => Promise.reject(new DOMException('it was moved', 'NotReadableError'))
    await choose(gone)
    expect(await screen.findByText('The browser could not read this file. Choose it again.')).toBeTruthy()
    expect(screen.queryByText('boats.json')).toBeNull()
    expect(name.value).toBe('')
  })

  it('opens in the node editor, which reads more formats', async () => {
    const stock = window.matchMedia
    vi.stubGlobal('matchMedia', (query: string) => ({ ...stock(query), matches: true }))
    const { choose, router } = await setup()
    const picture = new File(['\u0089PNG'], 'boats.png', { type: 'image/png' })
    await choose(picture)
    await userEvent.click(await screen.findByRole('button', { name: 'Open in the node editor' }))
    expect(router.state.location.pathname).toBe('/comfyui')
    expect(takeHandedFile()).toBe(picture)
    expect(takeHandedFile()).toBeNull()
  })
})

describe('what no worker has of an uploaded workflow', () => {
  it('is shown once the file is chosen, if anything is missing', async () => {
    const { choose } = await setup()
    const graph = { 1: { class_type: 'WildText', inputs: { lora: 'mine.safetensors' } } }
    await choose(file('wild.json', JSON.stringify(graph)))
    const notice = await screen.findByText(/No connected worker has this node:/)
    expect(notice.textContent).toContain('WildText')
    expect(screen.getByText(/No connected worker has this model:/).textContent).toContain('mine.safetensors')
    expect(screen.getByText(/You can still upload it/)).toBeTruthy()
    await choose(file('boats.json'))
    await waitFor(() => expect(screen.queryByText(/No connected worker has/)).toBeNull())
  })
})
