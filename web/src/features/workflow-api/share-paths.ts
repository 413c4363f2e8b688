import type { Client } from 'openapi-fetch'
import { api } from '@/shared/api/client'
import type { SharedUser } from './types'

type Json<T> = { content: { 'application/json': T } }

/** The calls by which an API is shared, as the server answers them. */
type SharePaths = {
  '/api/general/workflow-api-shared/{workflowApiId}/shared-users': {
    get: { parameters: { path: { workflowApiId: string } }; responses: { 200: Json<{ items: SharedUser[] }> } }
  }
  '/api/general/workflow-api-shared': {
    post: { requestBody: Json<{ workflowApiId: string; userEmail: string }>; responses: { 201: Json<SharedUser> } }
  }
  '/api/general/workflow-api-shared/{id}': {
    delete: { parameters: { path: { id: string } }; responses: { 204: { content?: never } } }
  }
}

export const shares = api as unknown as Client<SharePaths>
