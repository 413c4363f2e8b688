import { expect, it } from 'vitest'
import { userQuery } from '@/features/auth'
import { api } from '@/shared/api/client'
import { createQueryClient } from '@/shared/api/query-client'
import { user } from '@/shared/testing/factories'
import { stubApi } from '@/shared/testing/stub-api'
import { watchSession } from './guards'

const press = () => api.POST('/api/general/workflow-view/{id}' as never, { params: { path: { id: 'w' } } } as never)

function refusing(code: string) {
  stubApi({ 'POST /api/general/workflow-view/w': { status: 401, body: { code, message: 'x' } } })
  const client = createQueryClient()
  client.setQueryData(userQuery().queryKey, user())
  const stop = watchSession(client)
  return { client, stop }
}

it('a 401 shows the guest view', async () => {
  const { client, stop } = refusing('AUTH_LOGIN_REQUIRED')
  await expect(press()).rejects.toMatchObject({ status: 401 })
  expect(client.getQueryData(userQuery().queryKey)).toBeNull()
  stop()
})

it('a wrong password does not end the session', async () => {
  const { client, stop } = refusing('AUTH_WRONG_CREDENTIALS')
  await expect(press()).rejects.toMatchObject({ status: 401 })
  expect(client.getQueryData(userQuery().queryKey)).toMatchObject({ name: 'Mira' })
  stop()
})
