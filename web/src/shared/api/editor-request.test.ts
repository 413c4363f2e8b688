import { afterEach, expect, it, vi } from 'vitest'
import { resetConnection } from './connection'
import { editorRequest, uploadToEditor } from './editor-request'
import { onSessionEnd } from './session-end'

const answer = (status: number, body: object = {}) =>
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status }))

afterEach(() => {
  vi.unstubAllGlobals()
  resetConnection()
})

it('a refused read ends the session, as every other request does', async () => {
  const ended = vi.fn()
  const stop = onSessionEnd(ended)
  answer(401, { code: 'AUTH_REQUIRED' })
  await expect(editorRequest('jobs/1', {})).rejects.toMatchObject({ status: 401 })
  expect(ended).toHaveBeenCalledOnce()
  stop()
})

it('only 200 is a success', async () => {
  answer(201)
  await expect(uploadToEditor('mask', new FormData())).rejects.toMatchObject({ status: 201 })
  answer(200, { name: 'a.png' })
  expect(await uploadToEditor('mask', new FormData())).toEqual({ name: 'a.png' })
})

it('an aborted request is no network error', async () => {
  const failure = new TypeError('failed')
  vi.stubGlobal('fetch', () => Promise.reject(failure))
  await expect(editorRequest('jobs/1', {})).rejects.toMatchObject({ status: 0 })
  await expect(editorRequest('jobs/1', { signal: AbortSignal.abort() })).rejects.toBe(failure)
})
