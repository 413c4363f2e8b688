import { expect, type Page } from '@playwright/test'
import { call, type Fixtures, type Person } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

const GRAPH = {
  1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 65_280 } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'Press' } },
}
type Setup = { inputs: object; outputs: object }
type Editor = { proposal: Setup; saved: { _id: string } | null }
type Shared = { items: { _id: string; sharedUser: { email: string } }[] }

const editor = (person: Person, workflow: string) =>
  call<Editor>(person, 'get', `/api/general/workflow-api/editor/${workflow}`)
/** A workflow of the member that can have an API. */
const workflow = async ({ member }: Fixtures) => {
  const body = { name: `Press ${Date.now()}`, description: '<p>Words</p>', prompt: { output: GRAPH } }
  return (await call<{ _id: string }>(member, 'post', '/api/general/workflow', body))._id
}
/** The same with the proposed API. */
const withApi = async (fixtures: Fixtures) => {
  const id = await workflow(fixtures)
  const { proposal } = await editor(fixtures.member, id)
  await call(fixtures.member, 'post', '/api/general/workflow-api', { workflow: id, ...proposal })
  return id
}
const apiOf = async ({ member }: Fixtures, id: string) => (await editor(member, id)).saved?._id ?? ''
const sharedWith = async (fixtures: Fixtures, id: string) => {
  const path = `/api/general/workflow-api-shared/${await apiOf(fixtures, id)}/shared-users`
  return (await call<Shared>(fixtures.member, 'get', path)).items.map(({ sharedUser }) => sharedUser.email)
}
/** An app of another user that is shared with the member. */
const sharedApp = async (fixtures: Fixtures) => {
  const owner = { ...fixtures, member: fixtures.other }
  const workflowApiId = await apiOf(owner, await withApi(owner))
  await call(fixtures.other, 'post', '/api/general/workflow-api-shared', {
    workflowApiId,
    userEmail: fixtures.member.email,
  })
  return workflowApiId
}
const sharedWithMember = async ({ member }: Fixtures) => {
  const list = await call<{ items: { workflowApi: { _id: string } }[] }>(
    member,
    'get',
    '/api/general/workflow-api-shared',
  )
  return list.items.map(({ workflowApi }) => workflowApi._id)
}
/** The form follows the setup with a delay; a click counts after it has loaded. */
const formHasCome = (page: Page) => page.waitForResponse('**/api/general/workflow-api/preview')

/** The editor of workflow APIs. */
export const WORKFLOW_API: Press[] = [
  {
    hook: 'workflow-api/useSaveApi',
    who: 'member',
    stage: workflow,
    path: (id) => `/workflow-api/${id}`,
    reach: async (page) => {
      const form = formHasCome(page)
      await mainButton(page, 'Use this selection').click()
      await form
    },
    button: (page) => mainButton(page, 'Save'),
    writes: ['POST /api/general/workflow-api'],
    kept: async (_page, id, fixtures) => expect(await apiOf(fixtures, id)).not.toBe(''),
  },
  {
    hook: 'workflow-api/useDeleteApi',
    who: 'member',
    stage: withApi,
    path: (id) => `/workflow-api/${id}`,
    reach: (page) => mainButton(page, 'Delete').click(),
    button: (page) => dialogButton(page, 'Delete'),
    writes: ['DELETE /api/general/workflow-api/:id'],
    kept: async (_page, id, fixtures) => expect(await apiOf(fixtures, id)).toBe(''),
  },
  {
    hook: 'workflow-api/useShareApi',
    who: 'member',
    stage: withApi,
    path: (id) => `/workflow-api/${id}?tab=share`,
    reach: (page, _, { other }) => page.getByLabel('E-mail').fill(other.email),
    button: (page) => mainButton(page, 'Share'),
    writes: ['POST /api/general/workflow-api-shared'],
    kept: async (_page, id, fixtures) => expect(await sharedWith(fixtures, id)).toEqual([fixtures.other.email]),
  },
  {
    hook: 'workflow-api/useUnshareApi',
    who: 'member',
    stage: async (fixtures) => {
      const id = await withApi(fixtures)
      const workflowApiId = await apiOf(fixtures, id)
      for (const { email } of [fixtures.other, fixtures.target]) {
        await call(fixtures.member, 'post', '/api/general/workflow-api-shared', { workflowApiId, userEmail: email })
      }
      return id
    },
    path: (id) => `/workflow-api/${id}?tab=share`,
    reach: (page, _, { other }) => mainButton(page, `Stop sharing with ${other.email}`).click(),
    button: (page) => dialogButton(page, 'Stop sharing'),
    writes: ['DELETE /api/general/workflow-api-shared/:id'],
    kept: async (_page, id, fixtures) => expect(await sharedWith(fixtures, id)).toEqual([fixtures.target.email]),
  },
  {
    hook: 'mini-apps/useLeaveShare',
    who: 'member',
    stage: sharedApp,
    path: () => '/apps?tab=shared',
    reach: (page) =>
      page
        .getByRole('main')
        .getByRole('button', { name: /^Remove .+ from my list$/ })
        .first()
        .click(),
    button: (page) => dialogButton(page, 'Remove from my list'),
    writes: ['DELETE /api/general/workflow-api-shared/:id'],
    kept: async (_page, app, fixtures) => expect(await sharedWithMember(fixtures)).not.toContain(app),
  },
]
