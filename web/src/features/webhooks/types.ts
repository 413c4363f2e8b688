/** Something that can happen, as the server lists it. */
export type WebhookEvent = { _id: string; name: string; description: string }

export type AttemptStatus = 'Success' | 'Failed' | 'Sending'

/** An address that is called when one of its events happens. */
export type WebhookConfig = {
  _id: string
  name: string
  webhookUrl: string
  webhookEvents: WebhookEvent[]
  /** The API that it belongs to; null for one of the whole account. */
  workflowApi: string | null
  createdAt: string
  updatedAt: string
  isActive: boolean
  disabledAt: string | null
  disabledReason: 'gone' | 'failing' | null
  failingSince: string | null
  /** Deliveries that are still to be sent. */
  waiting: number
  lastAttempt: { status: AttemptStatus; responseStatus: number | null; attemptAt: string } | null
}

/** One that has just been made: its secret is told this once. */
export type NewWebhookConfig = WebhookConfig & { secret: string }

export type NewSecret = { secret: string; oldUntil: string }

/** What of a webhook is written by people. */
export type WebhookDraft = { name: string; webhookUrl: string; webhookEventIds: string[] }

/** One try to deliver something. */
export type Attempt = {
  _id: string
  job: string | null
  /** What all tries of one delivery share. */
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
  webhookEventEmbed: { name: string }
}

export type History = { data: Attempt[]; pagination: { page: number; hasMore: boolean } }
