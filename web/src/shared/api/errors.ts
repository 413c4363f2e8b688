import type { components } from './schema'

type ErrorBody = components['schemas']['ErrorBody']

/** The codes a page may switch on: the server's closed list, and codes for responses without an error body. */
export type ErrorCode = ErrorBody['code'] | 'NETWORK' | 'UNKNOWN' | 'EMPTY_ANSWER' | 'NOT_CREATED'

/** One field that the server refused, by its name in the API. */
export type FieldProblem = { field: string; message: string }

/** A response that is not a success, or, with status 0, no response. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly details: unknown
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    body?: Partial<Omit<ErrorBody, 'code'> & { code: ErrorCode }> | undefined,
    retryAfterSeconds?: number,
  ) {
    super(body?.message ?? `status ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.code = body?.code ?? (status === 0 ? 'NETWORK' : 'UNKNOWN')
    this.details = body?.details
    this.requestId = body?.requestId ?? undefined
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** The refused fields, if the server named any. */
  get fields(): FieldProblem[] {
    if (!Array.isArray(this.details)) return []
    return this.details.filter(
      (d): d is FieldProblem =>
        typeof d === 'object' && d !== null && typeof d.field === 'string' && typeof d.message === 'string',
    )
  }
}

export const isApiError = (error: unknown, status?: number): error is ApiError =>
  error instanceof ApiError && (status === undefined || error.status === status)

/** Builds the error from a response. A body that is not JSON is ignored. */
export async function errorFromResponse(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => undefined)) as ErrorBody | undefined
  return new ApiError(response.status, body, retryAfter(response.headers.get('Retry-After')))
}

export function retryAfter(header: string | null): number | undefined {
  const seconds = Number(header)
  return header !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}
