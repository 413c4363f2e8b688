export type WebhookEvent = { _id: string; name: string; description: string }

export type AttemptStatus = 'Success' | 'Failed' | 'Sending'

/** An address that is called on its events. */
export type WebhookConfig = {
  _id: string
  name: string
  webhookUrl: string
  webhookEvents: WebhookEvent[]
  /** The API it belongs to; null for the account. */
  workflowApi: string | null
  createdAt: string
  updatedAt: string
  isActive: boolean
  disabledAt: string | null
  disabledReason: 'gone' | 'failing' | null
  failingSince: string | null
  waiting: number
  lastAttempt: { status: AttemptStatus; responseStatus: number | null; attemptAt: string } | null
}

/** The secret is sent only in this answer. */
export type NewWebhookConfig = WebhookConfig & { secret: string }

export type NewSecret = { secret: string; oldUntil: string }

export type WebhookDraft = { name: string; webhookUrl: string; webhookEventIds: string[] }

export type Attempt = {
  _id: string
  job: string | null
  /** Shared by all attempts of a delivery. */
  groupId: string
  status: AttemptStatus
  responseStatus: number | null
  attemptNumber: number
  attemptAt: string
  createdAt: string
  respondedAt: string | null
  response: string
  /** JSON as text. */
  payload: string
  error: string | null
  nextAttemptAt: string | null
  /** Attempts at this delivery so far. */
  attempts: number
  webhookEventEmbed: { name: string }
}

export type History = { data: Attempt[]; pagination: { page: number; hasMore: boolean } }
