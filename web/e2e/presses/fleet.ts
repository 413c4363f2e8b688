import { expect } from '@playwright/test'
import { call, fresh, items, type Person } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

type AgentToken = { _id: string; name: string; revokedAt: string | null }
const agentTokens = (admin: Person) => items<AgentToken>(admin, '/api/admin/agent-token')
const agentToken = async (admin: Person, name: string) => {
  const made = await call<{ agentToken: AgentToken }>(admin, 'post', '/api/admin/agent-token', { name, pools: ['cpu'] })
  return made.agentToken._id
}
const noAgentTokens = async (admin: Person) => {
  for (const { _id } of await agentTokens(admin)) await call(admin, 'delete', `/api/admin/agent-token/${_id}`)
}

/** Workers, their agents, and upkeep. */
export const FLEET: Press[] = [
  {
    hook: 'fleet/useRefreshWorker',
    who: 'admin',
    path: '/admin',
    button: (page) => mainButton(page, 'Check for new models now'),
    writes: ['POST /api/admin/worker/:id/refresh'],
  },
  {
    hook: 'fleet/useCloseRequests',
    who: 'admin',
    stage: async ({ member }) => {
      const wanted = { kind: 'NodeClass', name: fresh('Wanted node') }
      return (await call<{ name: string }>(member, 'post', '/api/general/requirement-request', wanted)).name
    },
    path: '/admin',
    reach: (page, name) => mainButton(page, `Close the requests for ${name}`).click(),
    button: (page) => dialogButton(page, 'Close requests'),
    writes: ['DELETE /api/admin/requirement-request/:id'],
    kept: async (_page, name, { admin }) => {
      const left = await items<{ name: string }>(admin, '/api/admin/requirement-request')
      expect(left.map((one) => one.name)).not.toContain(name)
    },
  },
  {
    hook: 'fleet/useCreateAgentToken',
    who: 'admin',
    stage: async () => fresh('Machines'),
    path: '/admin',
    reach: async (page, name) => {
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByLabel('Pools, separated by commas').fill('cpu')
    },
    button: (page) => mainButton(page, 'Create token'),
    writes: ['POST /api/admin/agent-token'],
    kept: async (_page, name, { admin }) =>
      expect((await agentTokens(admin)).filter((token) => token.name === name)).toHaveLength(1),
  },
  {
    hook: 'fleet/useRevokeAgentToken',
    who: 'admin',
    stage: async ({ admin }) => {
      await noAgentTokens(admin)
      return agentToken(admin, fresh('Machines'))
    },
    path: '/admin',
    reach: (page) =>
      page.getByRole('region', { name: 'Agent tokens' }).getByRole('button', { name: 'Revoke' }).first().click(),
    button: (page) => dialogButton(page, 'Revoke'),
    writes: ['DELETE /api/admin/agent-token/:id'],
    kept: async (_page, id, { admin }) =>
      expect((await agentTokens(admin)).find((token) => token._id === id)?.revokedAt).toBeTruthy(),
  },
  {
    hook: 'fleet/useAllowAgents',
    who: 'admin',
    stage: async ({ admin }) => agentToken(admin, fresh('Machines')),
    // Only a machine with an agent can be removed, so the response is mocked.
    before: (page, id) =>
      page.route('**/api/admin/agent-token', async (route) => {
        const response = await route.fetch()
        const list = await response.json()
        for (const token of list.items) if (token._id === id) token.removedAgents = 1
        await route.fulfill({ response, json: list })
      }),
    path: '/admin',
    button: (page) => mainButton(page, 'Allow removed workers again (1)'),
    writes: ['POST /api/admin/agent-token/:id/allow'],
  },
  {
    hook: 'upkeep/useRunTask',
    who: 'admin',
    stage: async () => new Date().toISOString(),
    path: '/admin/upkeep',
    button: (page) => mainButton(page, 'Run now: Old visits'),
    writes: ['POST /api/admin/upkeep/visit_retention/run'],
    kept: async (_page, since, { admin }) =>
      expect(await items(admin, `/api/admin/audit?action=upkeep.run&from=${since}`)).toHaveLength(1),
  },
]
