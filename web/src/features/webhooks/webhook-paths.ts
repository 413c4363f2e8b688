import type { Client } from 'openapi-fetch'
import { api } from '@/shared/api/client'
import type { History, NewSecret, NewWebhookConfig, WebhookConfig, WebhookDraft, WebhookEvent } from './types'

type Json<T> = { content: { 'application/json': T } }
type Empty = { content?: never }
type Of<Name extends string> = { path: Record<Name, string> }
type Configs = { parameters: object; responses: { 200: Json<{ items: WebhookConfig[] }> } }
type Add = { parameters: object; requestBody: Json<WebhookDraft>; responses: { 201: Json<NewWebhookConfig> } }
type ByConfig = { parameters: Of<'configId'> }
type Change = { name?: string; webhookUrl?: string; webhookEvents?: string[] }

/** The calls of webhooks, as the server answers them. */
type WebhookPaths = {
  '/api/general/webhook-event': { get: { responses: { 200: Json<{ items: WebhookEvent[] }> } } }
  '/api/general/webhook-config': { get: Configs; post: Add }
  '/api/general/webhook-config/{workflowApiId}': {
    get: Configs & { parameters: Of<'workflowApiId'> }
    post: Add & { parameters: Of<'workflowApiId'> }
  }
  '/api/general/webhook-config/{configId}': {
    patch: ByConfig & { requestBody: Json<Change>; responses: { 200: Json<WebhookConfig> } }
    delete: ByConfig & { responses: { 204: Empty } }
  }
  '/api/general/webhook-config/{configId}/secret': { post: ByConfig & { responses: { 200: Json<NewSecret> } } }
  '/api/general/webhook-config/{configId}/enable': { post: ByConfig & { responses: { 200: Json<WebhookConfig> } } }
  '/api/general/webhook-config/{configId}/test': { post: ByConfig & { responses: { 202: Json<{ groupId: string }> } } }
  '/api/general/webhook-config/{configId}/resend-failed': {
    post: ByConfig & { requestBody: Json<{ since: string }>; responses: { 200: Json<{ count: number }> } }
  }
  '/api/general/webhook-config/resend/workflowHistory/{historyId}': {
    post: { parameters: Of<'historyId'>; responses: { 202: Json<{ groupId: string }> } }
  }
  '/api/general/webhook-history/{configId}': {
    get: {
      parameters: Of<'configId'> & { query: { page: number; limit: number; search?: string } }
      responses: { 200: Json<History> }
    }
  }
}

export const webhooks = api as unknown as Client<WebhookPaths>
