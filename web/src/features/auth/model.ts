import { isApiError } from '@/shared/api/errors'
import { paths } from '@/shared/lib/paths'
import { session } from '@/shared/lib/storage'

/** Keys of `auth.problems`. */
export type Problem =
  | 'emailRequired'
  | 'emailInvalid'
  | 'passwordRequired'
  | 'passwordLength'
  | 'nameRequired'
  | 'nameLength'
  | 'terms'
  | 'alreadyEmail'
  | 'wrongCredentials'
  | 'linkedGoogle'
  | 'linkedDiscord'

export type SignValues = { email: string; password: string; name: string; terms: boolean; privacy: boolean }
export type SignProblems = Partial<Record<'email' | 'password' | 'name' | 'terms', Problem>>

/** People count characters, not UTF-16 units: an emoji is one. */
export const nameProblem = (name: string): Problem | undefined => {
  const length = [...name.trim()].length
  if (length === 0) return 'nameRequired'
  return length < 2 || length > 20 ? 'nameLength' : undefined
}

const emailProblem = (email: string): Problem | undefined => {
  if (!email.trim()) return 'emailRequired'
  return /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? undefined : 'emailInvalid'
}

export function signInProblems({ email, password }: SignValues): SignProblems {
  return clean({ email: emailProblem(email), password: password ? undefined : 'passwordRequired' })
}

export function signUpProblems(values: SignValues): SignProblems {
  const length = [...values.password].length
  return clean({
    email: emailProblem(values.email),
    password: length < 8 || length > 128 ? 'passwordLength' : undefined,
    name: nameProblem(values.name),
    terms: values.terms && values.privacy ? undefined : 'terms',
  })
}

function clean(problems: Record<string, Problem | undefined>): SignProblems {
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined))
}

const CODES: Record<string, SignProblems> = {
  AUTH_ALREADY_EMAIL: { email: 'alreadyEmail' },
  AUTH_LINKED_GOOGLE: { email: 'linkedGoogle' },
  AUTH_LINKED_DISCORD: { email: 'linkedDiscord' },
  AUTH_WRONG_CREDENTIALS: { password: 'wrongCredentials' },
  AUTH_TERMS_REQUIRED: { terms: 'terms' },
}

const FIELDS: Record<string, SignProblems> = {
  email: { email: 'emailInvalid' },
  password: { password: 'passwordLength' },
  name: { name: 'nameLength' },
}

/** The place in the form that an answer of the server speaks about; empty when it speaks about none. */
export function serverProblems(error: unknown): SignProblems {
  if (!isApiError(error)) return {}
  if (CODES[error.code]) return { ...CODES[error.code] }
  return Object.assign({}, ...error.fields.map(({ field }) => FIELDS[field] ?? {}))
}

const REDIRECT = 'vg.redirect'

/** Remembers where to go after signing in. */
export const rememberPlace = (path: string): void => {
  if (!path.startsWith(paths.login()) && !path.startsWith(paths.signup())) session.set(REDIRECT, path)
}

/** The remembered place, once; home when there is none. Only addresses of this site count. */
export function takePlace(): string {
  const path = session.get(REDIRECT)
  session.remove(REDIRECT)
  return path && /^\/(?![/\\])/.test(path) ? path : paths.home()
}
