import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, vi } from 'vitest'
import { LoginDialogProvider } from '@/features/auth'
import type { User } from '@/shared/api/types'
import { user, workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { useModal } from '@/shared/ui/modals'
import EditorPage from './pages/editor-page'

export const FLOW = 'workflow-1'
export const graphOf = (...ids: number[]) => JSON.stringify({ nodes: ids.map((id) => ({ id })), links: [] })
export const own = workflow({ user: { _id: 'user-1', name: 'Mira', profile: null } })

/** A draft that another visit has stored. */
export const DRAFT = {
  name: 'Draft',
  workflow: graphOf(1, 2, 3),
  baseVersion: 1 as number | null,
  revision: 'r-0',
  page: 'another page',
  updatedAt: '2026-11-20T08:00:00Z',
}

type Handlers = Parameters<typeof stubApi>[0]

/** The server's draft of a workflow, or of new projects (null). */
export function draftOn(flow: string | null, first: typeof DRAFT | null = null) {
  let stored: typeof DRAFT | null = first
  let count = 0
  const path = flow === null ? '/api/general/workflow/draft' : `/api/general/workflow/${flow}/draft`
  const handlers: Handlers = {
    [`GET ${path}`]: () => ({ body: { draft: stored } }),
    [`PUT ${path}`]: async (request) => {
      const { page, revision, name, workflow, baseVersion } = await request.clone().json()
      const isKnown = stored === null || stored.page === page || stored.revision === revision
      if (!isKnown) return { status: 409, body: { code: 'DRAFT_CHANGED', message: 'x' } }
      count += 1
      stored = { ...DRAFT, name, workflow: JSON.stringify(workflow), baseVersion, page, revision: `r-${count}` }
      return { body: { revision: stored.revision } }
    },
    [`DELETE ${path}`]: () => {
      stored = null
      return { status: 204 }
    },
  }
  return {
    handlers,
    stored: () => stored,
    /** Another page stores its draft. */
    replace: (other: typeof DRAFT | null) => {
      stored = other
    },
  }
}

type Tab = { tab?: string; flow?: string | null; name?: string }

/** Stands in for the editor in the frame: answers messages of the page, and sends its own. */
export function standIn(start = graphOf(1)) {
  let graph = start
  let tab: Tab = {}
  /** The tab whose graph answered a request. */
  const asked = new Map<string | undefined, Tab>()
  const received: { type: string; [key: string]: unknown }[] = []
  const frame = () => {
    const found = document.querySelector('iframe')
    if (!found?.contentWindow) throw new Error('there is no frame')
    return found.contentWindow
  }
  const dispatch = (data: object) =>
    window.dispatchEvent(new MessageEvent('message', { source: frame(), origin: window.location.origin, data }))
  const say = (data: object) => act(async () => void dispatch(data))
  const load = async () => {
    await waitFor(frame)
    frame().postMessage = ((message: { type: string; requestId?: string; workflow?: string; flow?: string }) => {
      received.push(message)
      if (message.type === 'loadWorkflow') graph = message.workflow ?? graph
      const isOfTab = message.type === 'graphSaved' && asked.get(message.requestId) === tab
      if (isOfTab && 'flow' in tab) tab = { ...tab, flow: message.flow ?? null }
      if (message.type === 'getGraph') {
        asked.set(message.requestId, tab)
        const answer = { type: 'graph', requestId: message.requestId, workflow: graph, prompt: null, ...tab }
        // A task of its own, as in the browser: the page may ask within an `act`, and these cannot be nested.
        setTimeout(() => dispatch(answer))
      }
    }) as Window['postMessage']
    await say({ type: 'editorReady', version: '1.55.18' })
  }
  return {
    say,
    received,
    graph: () => graph,
    /** The frame has loaded this tab. */
    open: async (opened: Tab = {}) => {
      tab = opened
      await load()
      await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).not.toHaveProperty('disabled', true))
    },
    edit: async (next: string) => {
      graph = next
      await say({ type: 'graphChanged' })
    },
    /** The user opens another tab of the editor. */
    go: async (to: Tab, shown: string) => {
      tab = to
      graph = shown
      await say({ type: 'outputNodeDefs', flow: to.flow ?? null, nodes: [] })
      await say({ type: 'graphChanged' })
    },
    /** The frame is loaded again, and shows this graph. */
    reload: async (shown: string) => {
      graph = shown
      await say({ type: 'editorReady', version: '1.55.18' })
    },
  }
}

/** Renders the page with answers of the server. */
export function setup(path: string, handlers: Handlers = {}, who: User | null = user()) {
  const requests = stubApi({
    'GET /api/auth': who ? { body: who } : { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } },
    'GET /comfyui-editor/installed.json': { body: { installed: true } },
    [`GET /api/general/workflow/${FLOW}`]: { body: own },
    ...draftOn(FLOW).handlers,
    ...draftOn(null).handlers,
    ...handlers,
  })
  const view = renderApp(
    <LoginDialogProvider>
      <EditorPage />
    </LoginDialogProvider>,
    { path },
  )
  const sent = (method: string, end: string) =>
    requests.filter((one) => one.method === method && one.path.endsWith(end))
  return { ...view, requests, sent }
}

/** Sets the width of the window: a desktop's, or a phone's. */
export function setWidth(width: 'desktop' | 'phone'): void {
  const stock = window.matchMedia
  const isWide = (query: string) => width === 'desktop' && query.includes('min-width')
  vi.stubGlobal('matchMedia', (query: string) => ({ ...stock(query), matches: isWide(query) }))
}

export const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))
export const frameAddress = () => document.querySelector('iframe')?.getAttribute('src')

/** The props of an open layer, as text. */
export function ModalProbe({ id }: { id: 'executionError' }) {
  return <output>{JSON.stringify(useModal(id) ?? null)}</output>
}
