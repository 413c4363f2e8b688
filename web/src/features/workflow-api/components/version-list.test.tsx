import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { AppVersion } from '@/shared/api/types'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { VersionList } from './version-list'

const LIST = 'GET /api/general/workflow-api/api-1/version'

const version = (_id: string, isCurrent: boolean): AppVersion => ({
  _id,
  isCurrent,
  createdAt: '2026-11-20T08:00:00Z',
  run: `/api/general/job/workflow-api/api-1/version/${_id}`,
  openapi: `/api/public/workflow-api/api-1/version/${_id}/openapi`,
})

describe('the versions of an API', () => {
  it('have their addresses, and the current one is marked', async () => {
    const person = userEvent.setup()
    const old = version('version-1', false)
    stubApi({ [LIST]: { body: { items: [version('version-2', true), old], nextCursor: null } } })
    renderApp(<VersionList api="api-1" />)
    const rows = (await screen.findAllByRole('article')).map((row) => within(row))
    expect(rows.map((row) => row.queryByText('Current') !== null)).toEqual([true, false])
    for (const [name, path] of [
      ['Copy call address', old.run],
      ['Copy document address', old.openapi],
    ] as const) {
      const address = `${window.location.origin}${path}`
      expect(rows[1]?.getByText(address)).toBeTruthy()
      await person.click(rows[1]?.getByRole('button', { name }) as HTMLElement)
      expect(await navigator.clipboard.readText()).toBe(address)
    }
  })

  it('are read in pages', async () => {
    const next = { items: [version('version-1', false)], nextCursor: null }
    const requests = stubApi({
      [LIST]: ({ url }) => ({
        body: url.includes('cursor=') ? next : { items: [version('version-2', true)], nextCursor: 'version-2' },
      }),
    })
    renderApp(<VersionList api="api-1" />)
    await userEvent.click(await screen.findByRole('button', { name: 'Load more' }))
    expect(await screen.findByText('version-1')).toBeTruthy()
    expect(requests.map(({ search }) => search)).toEqual(['?limit=10', '?limit=10&cursor=version-2'])
  })

  it('are read again after an error', async () => {
    let fails = true
    const failure = { status: 500, body: { code: 'INTERNAL', message: 'no versions', requestId: 'r' } }
    stubApi({ [LIST]: () => (fails ? failure : { body: { items: [], nextCursor: null } }) })
    renderApp(<VersionList api="api-1" />)
    const retry = await screen.findByRole('button', { name: 'Try Again' })
    fails = false
    await userEvent.click(retry)
    expect(await screen.findByText('No versions yet')).toBeTruthy()
  })
})
