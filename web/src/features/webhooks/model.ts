import { isApiError } from '@/shared/api/errors'
import { question, readBy } from '@/shared/lib/question'
import type { Attempt, WebhookConfig, WebhookDraft } from './types'

/** Attempts on a page of the history. */
export const HISTORY_PAGE = 5
/** A delivery that was tried this often is not sent again. */
export const MAX_ATTEMPTS = 10
export const MAX_NAME = 100
export const MAX_URL = 2000
/** How long after it something counts as sent lately. */
export const LATELY_MS = 60_000

/** The webhook that is open stands in the address, so that a mail can lead to it. */
export const asking = question({ webhook: readBy((text) => (/^[\w-]{1,64}$/.test(text) ? text : undefined)) })

/** The events that the page has words of its own for, and where those stand. */
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
} as const
export type EventWord = (typeof WORDED)[keyof typeof WORDED]

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

/** What a webhook may be called by. */
const SCHEMES = ['https:', 'http:', 'ftp:']

function schemeOf(url: string): string | undefined {
  // The parser mends what has no slashes, and takes away spaces; what is sent is what was written.
  if (!/^[a-z]+:\/\/[^\s/?#]/i.test(url) || /\s/.test(url)) return undefined
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed && SCHEMES.includes(parsed.protocol) && parsed.hostname !== '' ? parsed.protocol : undefined
}

/** What is wrong with the fields of a draft: keys of `form`. */
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

/** What somebody should know who writes such an address: that others can read along, or that a file is put there. */
export function urlHint(url: string): 'plain' | 'upload' | null {
  const scheme = schemeOf(url.trim())
  if (scheme === 'http:') return 'plain'
  return scheme === 'ftp:' ? 'upload' : null
}

/** What of a refusal belongs to fields. */
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

/** Refusals that have words of their own. */
const REFUSALS = ['WEBHOOK_LIMIT', 'WEBHOOK_URL_REFUSED', 'WEBHOOK_ATTEMPTS'] as const
export type WebhookRefusal = (typeof REFUSALS)[number]

export function refusalOf(error: unknown): WebhookRefusal | undefined {
  const code: string | undefined = isApiError(error) ? error.code : undefined
  return REFUSALS.find((known) => known === code)
}

/** Until when more is about to be seen of what was tried then: for ever while it is under way, else a while after it. */
const untilOf = ({ status, attemptAt }: Pick<Attempt, 'status' | 'attemptAt'>) =>
  status === 'Sending' ? Number.POSITIVE_INFINITY : Date.parse(attemptAt) + LATELY_MS

/** Until when more of a webhook's deliveries is about to be seen. */
export function busyUntil({ waiting, lastAttempt }: Pick<WebhookConfig, 'waiting' | 'lastAttempt'>): number {
  if (waiting > 0) return Number.POSITIVE_INFINITY
  return lastAttempt === null ? 0 : untilOf(lastAttempt)
}

/** Until when something of attempts may still change, or another one follow them soon. */
export const freshUntil = (attempts: readonly Pick<Attempt, 'status' | 'attemptAt'>[]): number =>
  Math.max(0, ...attempts.map(untilOf))

/** How often the delivery of an attempt was tried, as far as the attempts beside it tell. */
export const triesOf = ({ groupId }: Pick<Attempt, 'groupId'>, attempts: readonly Attempt[]): number =>
  Math.max(0, ...attempts.filter((one) => one.groupId === groupId).map((one) => one.attemptNumber))

/** The attempt that is looked at: the one that was chosen while it is there, else the first. */
export const chosenOf = (attempts: readonly Attempt[], chosen: string | null): Attempt | undefined =>
  attempts.find(({ _id }) => _id === chosen) ?? attempts[0]

/** JSON in lines; other text as it is, and JSON with numbers that are longer than those of this language: seeds, say. */
export function readable(text: string): string {
  if (/\d{16}/.test(text)) return text
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : text
  } catch {
    return text
  }
}

/** How long an answer took, in milliseconds. */
export function tookMs({ attemptAt, respondedAt }: Pick<Attempt, 'attemptAt' | 'respondedAt'>): number | null {
  if (respondedAt === null) return null
  return Math.max(0, Date.parse(respondedAt) - Date.parse(attemptAt))
}

const two = (part: number) => String(part).padStart(2, '0')

/** A time as a field for local times has it. */
export function localTime(at: Date): string {
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** What is wrong with the time since when failed deliveries are sent again. */
export function sinceProblem(local: string, now: number): 'missing' | 'future' | undefined {
  const at = Date.parse(local)
  if (Number.isNaN(at)) return 'missing'
  return at > now ? 'future' : undefined
}
