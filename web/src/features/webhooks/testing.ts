import type { Attempt, WebhookConfig, WebhookEvent } from './types'

// Factories of webhook test data.

export const done: WebhookEvent = { _id: 'job.done', name: 'job.done', description: 'A job is done' }
export const failed: WebhookEvent = { _id: 'job.failed', name: 'job.failed', description: 'A job has failed' }

export const config = (change: Partial<WebhookConfig> = {}): WebhookConfig => ({
  _id: 'hook-1',
  name: 'Studio',
  webhookUrl: 'https://example.com/hook',
  webhookEvents: [done],
  workflowApi: 'api-1',
  createdAt: '2026-11-20T08:00:00Z',
  updatedAt: '2026-11-20T08:00:00Z',
  isActive: true,
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
  waiting: 0,
  lastAttempt: { status: 'Success', responseStatus: 200, attemptAt: '2026-11-20T08:00:00Z' },
  ...change,
})

export const attempt = (change: Partial<Attempt> = {}): Attempt => ({
  _id: 'try-1',
  job: 'job-1',
  groupId: 'group-1',
  status: 'Success',
  responseStatus: 200,
  attemptNumber: 1,
  attemptAt: '2026-11-20T08:00:00Z',
  createdAt: '2026-11-20T08:00:00Z',
  respondedAt: '2026-11-20T08:00:01Z',
  response: 'heard',
  payload: '{"type":"job.done"}',
  error: null,
  nextAttemptAt: null,
  attempts: 1,
  webhookEventEmbed: { name: 'job.done' },
  ...change,
})
