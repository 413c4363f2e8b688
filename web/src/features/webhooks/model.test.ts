import { describe, expect, it } from 'vitest'
import { ApiError } from '@/shared/api/errors'
import {
  busyUntil,
  chosenOf,
  draftProblems,
  eventWord,
  freshUntil,
  localTime,
  readable,
  refusalOf,
  refusedOf,
  sinceProblem,
  stateOf,
  tookMs,
  urlHint,
  WEBHOOK_PARAMS,
} from './model'
import { attempt, config } from './testing'

const NOW = Date.parse('2026-11-20T08:00:00Z')
const AGO = (seconds: number) => new Date(NOW - seconds * 1000).toISOString()
const draft = { name: 'Studio', webhookUrl: 'https://example.com/hook', webhookEventIds: ['job.done'] }

describe('a webhook draft', () => {
  it('is valid with name, address and event', () => {
    expect(Object.values(draftProblems(draft)).filter(Boolean)).toEqual([])
  })

  it('requires a name with characters, and at least one event', () => {
    expect(draftProblems({ ...draft, name: '  ', webhookEventIds: [] })).toMatchObject({
      name: 'nameMissing',
      webhookEventIds: 'eventsMissing',
    })
  })

  it.each(['https://example.com', 'HTTP://example.com:81/a?b=c', 'ftp://ann:secret@example.com/in', ' https://a.b '])(
    'accepts %s',
    (webhookUrl) => expect(draftProblems({ ...draft, webhookUrl }).webhookUrl).toBeUndefined(),
  )

  it.each([
    '',
    'example.com',
    'https:example.com',
    'https://',
    'https:///a',
    'ftps://a.b',
    'javascript:a',
    'https://a b',
  ])('rejects %s', (webhookUrl) => expect(draftProblems({ ...draft, webhookUrl }).webhookUrl).toBe('urlInvalid'))

  it('warns of unencrypted addresses only', () => {
    expect(['http://a.b', 'ftp://a.b', 'https://a.b', 'http:', ''].map(urlHint)).toEqual([
      'plain',
      'upload',
      null,
      null,
      null,
    ])
  })

  it('shows a refusal at its field', () => {
    const details = ['name', 'webhookUrl', 'webhookEventIds[0]'].map((field) => ({ field, message: 'no' }))
    expect(refusedOf(new ApiError(400, { code: 'VALIDATION_FAILED', details }))).toEqual({
      name: 'nameRefused',
      webhookUrl: 'urlInvalid',
      webhookEventIds: 'eventsRefused',
    })
    expect(refusedOf(refusal('WEBHOOK_URL_REFUSED'))).toEqual({ webhookUrl: 'urlRefused' })
    expect(refusedOf(refusal('WEBHOOK_LIMIT'))).toEqual({})
    expect(refusedOf(new Error('no network'))).toEqual({})
  })
})

const refusal = (code: string) => new ApiError(422, { code: code as 'UNKNOWN', message: 'no' })

it('has texts for refusals of webhooks only', () => {
  expect(refusalOf(refusal('WEBHOOK_LIMIT'))).toBe('WEBHOOK_LIMIT')
  expect(refusalOf(refusal('NOT_FOUND'))).toBeUndefined()
  expect(refusalOf(null)).toBeUndefined()
})

it('has texts for known events only, not for inherited properties', () => {
  expect(eventWord('job.done')).toBe('jobDone')
  expect(eventWord('job.dreamt')).toBeUndefined()
  expect(eventWord('toString')).toBeUndefined()
})

describe('a webhook', () => {
  it.each([
    [config(), 'active'],
    [config({ lastAttempt: null }), 'idle'],
    [config({ failingSince: AGO(60) }), 'failing'],
    [config({ isActive: false, disabledReason: 'gone', failingSince: AGO(60) }), 'gone'],
    [config({ isActive: false, disabledReason: 'failing' }), 'failingOff'],
    [config({ isActive: false }), 'off'],
  ] as const)('%#: %s', (one, state) => expect(stateOf(one)).toBe(state))

  it('is refetched while something is pending or was sent in the last minute', () => {
    const last = (status: 'Success' | 'Sending', seconds: number) => ({
      waiting: 0,
      lastAttempt: { status, responseStatus: null, attemptAt: AGO(seconds) },
    })
    expect(busyUntil({ waiting: 1, lastAttempt: null })).toBe(Number.POSITIVE_INFINITY)
    expect(busyUntil(last('Sending', 600))).toBe(Number.POSITIVE_INFINITY)
    expect(busyUntil(last('Success', 59)) - NOW).toBe(1000)
    expect(busyUntil(last('Success', 61)) - NOW).toBe(-1000)
    expect(busyUntil({ waiting: 0, lastAttempt: null })).toBe(0)
    const tried = (status: 'Failed' | 'Sending', seconds: number) => ({ status, attemptAt: AGO(seconds) })
    expect(freshUntil([tried('Failed', 61), tried('Failed', 30)]) - NOW).toBe(30_000)
    expect(freshUntil([tried('Failed', 61), tried('Sending', 600)])).toBe(Number.POSITIVE_INFINITY)
    expect(freshUntil([])).toBe(0)
  })
})

describe('the delivery history', () => {
  const attempts = [
    attempt({ _id: 'a', groupId: 'g', attemptNumber: 10 }),
    attempt({ _id: 'b', groupId: 'g', attemptNumber: 9 }),
    attempt({ _id: 'c', groupId: 'h', attemptNumber: 3 }),
  ]

  it('selects the first attempt until another is chosen, and again when that is gone', () => {
    expect(chosenOf(attempts, null)?._id).toBe('a')
    expect(chosenOf(attempts, 'c')?._id).toBe('c')
    expect(chosenOf(attempts, 'z')?._id).toBe('a')
    expect(chosenOf([], 'a')).toBeUndefined()
  })

  it('indents JSON and keeps other text unchanged', () => {
    expect(readable('{"a":1}')).toBe('{\n  "a": 1\n}')
    expect(readable('<b>no</b>')).toBe('<b>no</b>')
    expect(readable('"heard"')).toBe('"heard"')
    expect(readable('{"seed":12345678901234567890}')).toBe('{"seed":12345678901234567890}')
  })

  it('shows the response time if there was a response', () => {
    expect(tookMs({ attemptAt: AGO(2), respondedAt: AGO(1) })).toBe(1000)
    expect(tookMs({ attemptAt: AGO(1), respondedAt: AGO(2) })).toBe(0)
    expect(tookMs({ attemptAt: AGO(1), respondedAt: null })).toBeNull()
  })
})

it('resends only from a past time', () => {
  const local = localTime(new Date(NOW))
  expect(Date.parse(local)).toBe(NOW)
  expect(sinceProblem(local, NOW)).toBeUndefined()
  expect(sinceProblem(local, NOW - 1)).toBe('future')
  expect(sinceProblem('', NOW)).toBe('missing')
})

it('opens a webhook by address, and ignores invalid ids', () => {
  expect(WEBHOOK_PARAMS.read(new URLSearchParams('webhook=0197-a')).webhook).toBe('0197-a')
  expect(WEBHOOK_PARAMS.read(new URLSearchParams('webhook=../a')).webhook).toBe('')
  expect(`${WEBHOOK_PARAMS.write(new URLSearchParams('tab=webhook&webhook=a'), { webhook: '' })}`).toBe('tab=webhook')
})
