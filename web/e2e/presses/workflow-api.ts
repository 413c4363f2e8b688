import { expect, type Page } from '@playwright/test'
import { type Crew, call, type Person } from './crew'
import { answer, named, type Press } from './row'

const GRAPH = {
  1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 65_280 } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'Press' } },
}
type Setup = { inputs: object; outputs: object }
type Editor = { proposal: Setup; saved: { _id: string } | null }
type Shared = { items: { _id: string; sharedUser: { email: string } }[] }

const editor = (person: Person, workflow: string) =>
  call<Editor>(person, 'get', `/api/general/workflow-api/editor/${workflow}`)
/** A workflow of the member's that can have an API. */
const workflow = async ({ member }: Crew) => {
  const body = { name: `Press ${Date.now()}`, description: '<p>Words</p>', prompt: { output: GRAPH } }
  return (await call<{ _id: string }>(member, 'post', '/api/general/workflow', body))._id
}
/** The same with the API that is proposed for it. */
const withApi = async (crew: Crew) => {
  const id = await workflow(crew)
  const { proposal } = await editor(crew.member, id)
  await call(crew.member, 'post', '/api/general/workflow-api', { workflow: id, ...proposal })
  return id
}
const apiOf = async ({ member }: Crew, id: string) => (await editor(member, id)).saved?._id ?? ''
const sharedWith = async (crew: Crew, id: string) => {
  const path = `/api/general/workflow-api-shared/${await apiOf(crew, id)}/shared-users`
  return (await call<Shared>(crew.member, 'get', path)).items.map(({ sharedUser }) => sharedUser.email)
}
/** An app of somebody else's that is shared with the member. */
const sharedApp = async (crew: Crew) => {
  const owner = { ...crew, member: crew.other }
  const workflowApiId = await apiOf(owner, await withApi(owner))
  await call(crew.other, 'post', '/api/general/workflow-api-shared', { workflowApiId, userEmail: crew.member.email })
  return workflowApiId
}
const sharedWithMember = async ({ member }: Crew) => {
  const list = await call<{ items: { workflowApi: { _id: string } }[] }>(
    member,
    'get',
    '/api/general/workflow-api-shared',
  )
  return list.items.map(({ workflowApi }) => workflowApi._id)
}
/** The form follows the setup after a moment; a press counts from when it has come. */
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
      await named(page, 'Use this selection').click()
      await form
    },
    button: (page) => named(page, 'Save'),
    writes: ['POST /api/general/workflow-api'],
    kept: async (_page, id, crew) => expect(await apiOf(crew, id)).not.toBe(''),
  },
  {
    hook: 'workflow-api/useDeleteApi',
    who: 'member',
    stage: withApi,
    path: (id) => `/workflow-api/${id}`,
    reach: (page) => named(page, 'Delete').click(),
    button: (page) => answer(page, 'Delete'),
    writes: ['DELETE /api/general/workflow-api/:id'],
    kept: async (_page, id, crew) => expect(await apiOf(crew, id)).toBe(''),
  },
  {
    hook: 'workflow-api/useShareApi',
    who: 'member',
    stage: withApi,
    path: (id) => `/workflow-api/${id}?tab=share`,
    reach: (page, _, { other }) => page.getByLabel('E-mail').fill(other.email),
    button: (page) => named(page, 'Share'),
    writes: ['POST /api/general/workflow-api-shared'],
    kept: async (_page, id, crew) => expect(await sharedWith(crew, id)).toEqual([crew.other.email]),
  },
  {
    hook: 'workflow-api/useUnshareApi',
    who: 'member',
    stage: async (crew) => {
      const id = await withApi(crew)
      const workflowApiId = await apiOf(crew, id)
      for (const { email } of [crew.other, crew.target]) {
        await call(crew.member, 'post', '/api/general/workflow-api-shared', { workflowApiId, userEmail: email })
      }
      return id
    },
    path: (id) => `/workflow-api/${id}?tab=share`,
    reach: (page, _, { other }) => named(page, `Stop sharing with ${other.email}`).click(),
    button: (page) => answer(page, 'Stop sharing'),
    writes: ['DELETE /api/general/workflow-api-shared/:id'],
    kept: async (_page, id, crew) => expect(await sharedWith(crew, id)).toEqual([crew.target.email]),
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
    button: (page) => answer(page, 'Remove from my list'),
    writes: ['DELETE /api/general/workflow-api-shared/:id'],
    kept: async (_page, app, crew) => expect(await sharedWithMember(crew)).not.toContain(app),
  },
]
