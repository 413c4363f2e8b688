import { type APIResponse, expect, type Frame, type Page, test } from '@playwright/test'
import { editorFrame, hasEditor } from './editor-frame'
import { signUp, xsrf } from './people'
import { SAMPLES } from './workflows'
import { exactValue } from './workflows/text'

type Exported = { workflow: string; prompt: string }
type Message = Exported & { type: string; requestId?: string; status?: number }
type EditorWindow = Window & {
  app: {
    rootGraph: { _nodes: unknown[]; links: Map<number, unknown> }
    canvas: { visible_nodes: unknown[]; draw: (front: boolean, back: boolean) => void }
  }
}
type HostWindow = Window & { isReady?: boolean }

/** A page with the editor alone. */
const host = (query: string) => `<!doctype html><title>Workflows</title><script>
  addEventListener('message', ({ data }) => { if (data.type === 'editorReady') window.isReady = true })
</script><iframe src="/comfyui-editor/?${query}" style="width:1200px;height:800px;border:0"></iframe>`

async function openEditor(page: Page, query = 'new=true'): Promise<Frame> {
  await page.route('**/workflows-in-the-editor', (route) =>
    route.fulfill({ contentType: 'text/html', body: host(query) }),
  )
  await page.goto('/workflows-in-the-editor')
  await page.waitForFunction(() => (window as HostWindow).isReady === true, undefined, { timeout: 60_000 })
  return editorFrame(page)
}

/** The editor's graph; of a file's text, if there is one. */
const exportedGraph = (page: Page, file?: { name: string; text: string }): Promise<Exported> =>
  page.evaluate(
    (file) =>
      new Promise<Exported>((resolve, reject) => {
        const frame = document.querySelector('iframe')?.contentWindow
        const requestId = file?.name ?? 'saved'
        addEventListener('message', function listen({ data }: MessageEvent<Message>) {
          const isOurs = data.type === 'graph' && data.requestId === requestId
          if (!isOurs && data.type !== 'loadFailed') return
          removeEventListener('message', listen)
          if (isOurs) resolve({ workflow: data.workflow, prompt: data.prompt })
          else reject(new Error(`not loaded: ${data.status}`))
        })
        const send = (message: object) => frame?.postMessage(message, location.origin)
        if (file) send({ type: 'loadWorkflow', workflow: file.text, name: file.name, flow: null })
        send({ type: 'getGraph', requestId })
      }),
    file,
  )

/** What the front end does in the next frame is done, such as the types of Reroute nodes. */
const framesDrawn = (frame: Frame) =>
  frame.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

/** What a user sees of the graph. */
const shown = (frame: Frame) =>
  frame.evaluate(() => {
    const { app } = window as unknown as EditorWindow
    app.canvas.draw(true, true)
    const dialogs = [...document.querySelectorAll('[role=dialog], .p-dialog')]
    return {
      nodes: app.rootGraph._nodes.length,
      links: app.rootGraph.links.size,
      drawn: app.canvas.visible_nodes.length > 0,
      dialogs: dialogs.map((dialog) => dialog.textContent?.trim().slice(0, 80)),
    }
  })

test.describe('workflows from the world', () => {
  test.beforeEach(async ({ request }) => {
    test.skip(!(await hasEditor(request)), 'this server has no editor')
  })

  test('are drawn, and exported as they were imported', async ({ page }) => {
    await signUp(page)
    const frame = await openEditor(page)
    for (const { name, text, nodes, links, imported } of SAMPLES) {
      const exported = await exportedGraph(page, { name, text })
      const isWorkflow = text.includes('"nodes":')
      const found = exactValue(isWorkflow ? exported.workflow : exported.prompt)
      expect.soft(found, name).toEqual(exactValue(imported ?? text))
      await framesDrawn(frame)
      const later = await exportedGraph(page)
      expect
        .soft(isWorkflow ? later.workflow : later.prompt, `${name}, later`)
        .toBe(isWorkflow ? exported.workflow : exported.prompt)
      expect.soft(await shown(frame), name).toEqual({
        nodes,
        links: links ?? expect.any(Number),
        drawn: nodes > 0,
        dialogs: [],
      })
    }
  })

  test('are saved and read again with the numbers as they were written', async ({ page }) => {
    await signUp(page)
    const headers = { ...(await xsrf(page)), 'Content-Type': 'application/json' }
    // JSON does not have these, and a saved workflow is JSON.
    const saved = (text: string) => text.replaceAll(/(?<=[[,:])(?:NaN|-?Infinity)(?=[,\]}])/g, 'null')
    const bodyOf = (text: string) =>
      text.includes('"nodes":') ? `{"workflow":${text},"output":{}}` : `{"workflow":null,"output":${saved(text)}}`
    let flow: string | null = null
    for (const { name, text } of SAMPLES) {
      const path = flow === null ? '/api/general/workflow' : `/api/general/workflow/${flow}`
      const data = Buffer.from(`{"name":${JSON.stringify(name)},"prompt":${bodyOf(text)}}`)
      const answer: APIResponse = await page.request[flow === null ? 'post' : 'patch'](path, { headers, data })
      expect(answer.status(), `${name}: ${await answer.text()}`).toBe(flow === null ? 201 : 200)
      flow = ((await answer.json()) as { _id: string })._id
      const read = await page.request.get(`/api/public/workflow/${flow}?select=prompt`)
      const { prompt } = (await read.json()) as { prompt: string }
      expect.soft(exactValue(prompt), name).toEqual(exactValue(saved(bodyOf(text))))
    }
    // The last graph is opened from the platform.
    const opened = SAMPLES.find(({ name }) => name === '2025-subgraph-missing-class')
    const body = Buffer.from(`{"prompt":${bodyOf(opened?.text ?? '')}}`)
    expect((await page.request.patch(`/api/general/workflow/${flow}`, { headers, data: body })).status()).toBe(200)
    await openEditor(page, `flow=${flow}`)
    const { workflow } = await exportedGraph(page)
    expect(exactValue(workflow)).toEqual(exactValue(opened?.text ?? ''))
  })
})
