import { isApiError } from '@/shared/api/errors'
import { parsedBy, urlParams } from '@/shared/lib/url-params'
import type { Attempt, WebhookConfig, WebhookDraft } from './types'

/** Page size of the history. */
export const HISTORY_PAGE = 5
/** Maximum attempts of one delivery. */
export const MAX_ATTEMPTS = 10
export const MAX_NAME = 100
export const MAX_URL = 2000
/** How long an attempt counts as recent. */
const LATELY_MS = 60_000

/** The open webhook is in the address, so that mails can link to it. */
export const WEBHOOK_PARAMS = urlParams({
  webhook: parsedBy((text) => (/^[\w-]{1,64}$/.test(text) ? text : undefined)),
})

/** The events with translated texts, and their keys. */
const WORDED = {
  'job.created': 'jobCreated',
  'job.started': 'jobStarted',
  'job.done': 'jobDone',
  'job.failed': 'jobFailed',
  'job.canceled': 'jobCanceled',
  'job.progress': 'jobProgress',
  'batch.finished': 'batchFinished',
  'workflow_api.saved': 'apiSaved',
  'workflow_api.deleted': 'apiDeleted',
  test: 'test',
} as const
type EventWord = (typeof WORDED)[keyof typeof WORDED]

export const eventWord = (id: string): EventWord | undefined =>
  Object.hasOwn(WORDED, id) ? WORDED[id as keyof typeof WORDED] : undefined

/** `idle` has never sent anything. */
export type WebhookState = 'gone' | 'failingOff' | 'off' | 'failing' | 'idle' | 'active'

export function stateOf(config: WebhookConfig): WebhookState {
  const { isActive, disabledReason, failingSince, lastAttempt } = config
  if (!isActive) return disabledReason === 'gone' ? 'gone' : disabledReason === 'failing' ? 'failingOff' : 'off'
  if (failingSince !== null) return 'failing'
  return lastAttempt === null ? 'idle' : 'active'
}

const SCHEMES = ['https:', 'http:', 'ftp:']

function schemeOf(url: string): string | undefined {
  // The parser accepts missing slashes and spaces, but the text is sent as it was typed.
  if (!/^[a-z]+:\/\/[^\s/?#]/i.test(url) || /\s/.test(url)) return undefined
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed && SCHEMES.includes(parsed.protocol) && parsed.hostname !== '' ? parsed.protocol : undefined
}

export type DraftProblems = {
  name?: 'nameMissing' | 'nameRefused' | undefined
  webhookUrl?: 'urlInvalid' | 'urlRefused' | undefined
  webhookEventIds?: 'eventsMissing' | 'eventsRefused' | undefined
}

export function draftProblems({ name, webhookUrl, webhookEventIds }: WebhookDraft): DraftProblems {
  return {
    name: name.trim() ? undefined : 'nameMissing',
    webhookUrl: schemeOf(webhookUrl.trim()) ? undefined : 'urlInvalid',
    webhookEventIds: webhookEventIds.length > 0 ? undefined : 'eventsMissing',
  }
}

/** A warning about an address: it is unencrypted, or it uploads a file. */
export function urlHint(url: string): 'plain' | 'upload' | null {
  const scheme = schemeOf(url.trim())
  if (scheme === 'http:') return 'plain'
  return scheme === 'ftp:' ? 'upload' : null
}

/** The errors of a refusal that belong to fields. */
export function refusedOf(error: unknown): DraftProblems {
  if (!isApiError(error)) return {}
  const code: string = error.code
  const named = new Set(error.fields.map(({ field }) => field.replace(/[.[].*$/, '')))
  return {
    ...(named.has('name') && { name: 'nameRefused' }),
    ...(named.has('webhookUrl') && { webhookUrl: 'urlInvalid' }),
    ...((named.has('webhookEventIds') || named.has('webhookEvents')) && { webhookEventIds: 'eventsRefused' }),
    ...(code === 'WEBHOOK_URL_REFUSED' && { webhookUrl: 'urlRefused' }),
  }
}

const REFUSALS = ['WEBHOOK_LIMIT', 'WEBHOOK_URL_REFUSED', 'WEBHOOK_ATTEMPTS', 'WEBHOOK_DISABLED'] as const
type WebhookRefusal = (typeof REFUSALS)[number]

export function refusalOf(error: unknown): WebhookRefusal | undefined {
  const code: string | undefined = isApiError(error) ? error.code : undefined
  return REFUSALS.find((known) => known === code)
}

/** The server's reasons why there was no response, and the keys of their texts. */
const ATTEMPT_ERRORS = {
  'the address did not answer': 'noAnswer',
  'the address leads to a network that is not public': 'notPublic',
  'the address is not allowed: only https is allowed': 'httpsOnly',
} as const
type AttemptError = (typeof ATTEMPT_ERRORS)[keyof typeof ATTEMPT_ERRORS]

export const attemptErrorOf = (error: string): AttemptError | undefined =>
  Object.hasOwn(ATTEMPT_ERRORS, error) ? ATTEMPT_ERRORS[error as keyof typeof ATTEMPT_ERRORS] : undefined

/** Until when more attempts are expected: infinite while one is pending. */
const untilOf = ({ status, attemptAt }: Pick<Attempt, 'status' | 'attemptAt'>) =>
  status === 'Sending' ? Number.POSITIVE_INFINITY : Date.parse(attemptAt) + LATELY_MS

/** Until when more deliveries of a webhook are expected. */
export function busyUntil({ waiting, lastAttempt }: Pick<WebhookConfig, 'waiting' | 'lastAttempt'>): number {
  if (waiting > 0) return Number.POSITIVE_INFINITY
  return lastAttempt === null ? 0 : untilOf(lastAttempt)
}

/** Until when these attempts may change or be followed by another one. */
export const freshUntil = (attempts: readonly Pick<Attempt, 'status' | 'attemptAt'>[]): number =>
  Math.max(0, ...attempts.map(untilOf))

/** The selected attempt if it is loaded, else the first. */
export const chosenOf = (attempts: readonly Attempt[], chosen: string | null): Attempt | undefined =>
  attempts.find(({ _id }) => _id === chosen) ?? attempts[0]

/** JSON, indented. Other text, and JSON with numbers too large for JavaScript, stays unchanged. */
export function readable(text: string): string {
  if (/\d{16}/.test(text)) return text
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : text
  } catch {
    return text
  }
}

export function tookMs({ attemptAt, respondedAt }: Pick<Attempt, 'attemptAt' | 'respondedAt'>): number | null {
  if (respondedAt === null) return null
  return Math.max(0, Date.parse(respondedAt) - Date.parse(attemptAt))
}

const two = (part: number) => String(part).padStart(2, '0')

/** A time for a `datetime-local` field. */
export function localTime(at: Date): string {
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

export function sinceProblem(local: string, now: number): 'missing' | 'future' | undefined {
  const at = Date.parse(local)
  if (Number.isNaN(at)) return 'missing'
  return at > now ? 'future' : undefined
}
