import { type FieldProblem, isApiError } from '@/shared/api/errors'
import { paths } from '@/shared/lib/paths'
import { session } from '@/shared/lib/storage'

export type Provider = 'google' | 'discord'
export const PROVIDERS: Provider[] = ['google', 'discord']
/** Names are the same in every language. */
export const PROVIDER_NAMES: Record<Provider, string> = { google: 'Google', discord: 'Discord' }

/** Keys of `auth.problems`. */
type Problem =
  | 'emailRequired'
  | 'emailInvalid'
  | 'passwordRequired'
  | 'passwordLength'
  | 'passwordCommon'
  | 'nameRefused'
  | 'nameRequired'
  | 'nameLength'
  | 'terms'
  | 'alreadyEmail'
  | 'wrongCredentials'
  | 'linkedGoogle'
  | 'linkedDiscord'
  | 'disabled'
  | 'codeRequired'
  | 'codeWrong'
  | 'codeExpired'

export type SignValues = { email: string; password: string; name: string; terms: boolean; privacy: boolean }
export type SignProblems = Partial<Record<'email' | 'password' | 'name' | 'terms', Problem>>

/** Counts characters, not UTF-16 units: an emoji is one. */
export const nameProblem = (name: string): Problem | undefined => {
  const length = [...name.trim()].length
  if (length === 0) return 'nameRequired'
  return length < 2 || length > 20 ? 'nameLength' : undefined
}

export const emailProblem = (email: string): Problem | undefined => {
  if (!email.trim()) return 'emailRequired'
  return /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? undefined : 'emailInvalid'
}

export const passwordProblem = (password: string): Problem | undefined => {
  const length = [...password].length
  return length < 8 || length > 128 ? 'passwordLength' : undefined
}

export function signInProblems({ email, password }: SignValues): SignProblems {
  return clean({ email: emailProblem(email), password: password ? undefined : 'passwordRequired' })
}

export function signUpProblems(values: SignValues): SignProblems {
  return clean({
    email: emailProblem(values.email),
    password: passwordProblem(values.password),
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
  AUTH_DISABLED: { email: 'disabled' },
}

/** A refusal that names numbers is about the length. */
const isOfLength = (message: string): boolean => /\d+ to \d+/.test(message)

function fieldProblem({ field, message }: FieldProblem): SignProblems {
  switch (field) {
    case 'email':
      return { email: 'emailInvalid' }
    case 'password':
      return { password: isOfLength(message) ? 'passwordLength' : 'passwordCommon' }
    case 'name':
      return { name: isOfLength(message) ? 'nameLength' : 'nameRefused' }
    default:
      return {}
  }
}

/** Accepts spaces: users copy six digits from a phone. */
export function codeProblem(code: string): Problem | undefined {
  const digits = code.replace(/[\s-]/g, '')
  if (!digits) return 'codeRequired'
  return /^\d{6}$/.test(digits) ? undefined : 'codeWrong'
}

export function codeRefusal(error: unknown): Problem | undefined {
  if (isApiError(error) && error.code === 'AUTH_CODE_WRONG') return 'codeWrong'
  if (isApiError(error) && error.code === 'AUTH_CODE_EXPIRED') return 'codeExpired'
  return isApiError(error) && error.code === 'AUTH_ALREADY_EMAIL' ? 'alreadyEmail' : undefined
}

/** The form fields that a server error is about; empty if none. */
export function serverProblems(error: unknown): SignProblems {
  if (!isApiError(error)) return {}
  if (CODES[error.code]) return { ...CODES[error.code] }
  return Object.assign({}, ...error.fields.map(fieldProblem))
}

/** Why a sign-in through a provider failed. Keys of `auth.social.failures`. */
type SocialFailure =
  | 'declined'
  | 'expired'
  | 'refused'
  | 'email'
  | 'alreadyEmail'
  | 'linkedGoogle'
  | 'linkedDiscord'
  | 'disabled'
  | 'away'
  | 'taken'
  | 'exists'
  | 'signedOut'
  | 'other'

const SOCIAL_CODES: Record<string, SocialFailure> = {
  AUTH_SOCIAL_EXPIRED: 'expired',
  AUTH_SOCIAL_REFUSED: 'refused',
  AUTH_SOCIAL_EMAIL: 'email',
  AUTH_ALREADY_EMAIL: 'alreadyEmail',
  AUTH_LINKED_GOOGLE: 'linkedGoogle',
  AUTH_LINKED_DISCORD: 'linkedDiscord',
  AUTH_DISABLED: 'disabled',
  UNAVAILABLE: 'away',
  AUTH_IDENTITY_TAKEN: 'taken',
  AUTH_IDENTITY_EXISTS: 'exists',
  AUTH_LOGIN_REQUIRED: 'signedOut',
}

export const socialFailure = (error: unknown): SocialFailure =>
  (isApiError(error) && SOCIAL_CODES[error.code]) || 'other'

/** The parameters with which a provider redirected back. */
export type ProviderAnswer = { code: string; state: string } | { failure: SocialFailure }

export function readAnswer(search: string): ProviderAnswer {
  const params = new URLSearchParams(search)
  const [code, state, error] = ['code', 'state', 'error'].map((name) => params.get(name))
  // Google and Discord both send this when the user presses "Cancel".
  if (error) return { failure: error === 'access_denied' ? 'declined' : 'refused' }
  return code && state ? { code, state } : { failure: 'expired' }
}

export const codeOf = (hash: string): string => new URLSearchParams(hash.replace(/^#/, '')).get('code') ?? ''

export type PendingSignUp = { signUp: string; email: string; expiresAt: string }

export const isPending = (answer: object): answer is PendingSignUp => 'signUp' in answer

const SIGN_UP = 'vg.signUp'

/** Stored over a reload: the mail may be read in this tab. */
export const storeSignUp = (pending: PendingSignUp): void => session.set(SIGN_UP, JSON.stringify(pending))
export const clearSignUp = (): void => session.remove(SIGN_UP)

/** The pending sign-up of this tab, unless it has expired. */
export function storedSignUp(now = Date.now()): PendingSignUp | null {
  try {
    const kept = JSON.parse(session.get(SIGN_UP) ?? 'null') as PendingSignUp | null
    return kept && Date.parse(kept.expiresAt) > now ? kept : null
  } catch {
    return null
  }
}

const AGREED = 'vg.agreed'

/** Remembers the consent before the browser leaves for a provider. */
export const rememberAgreement = (agreed: boolean): void => {
  if (agreed) session.set(AGREED, 'yes')
  else session.remove(AGREED)
}

/** Reads and clears the consent. */
export function takeAgreement(): boolean {
  const agreed = session.get(AGREED) === 'yes'
  session.remove(AGREED)
  return agreed
}

const LINKING = 'vg.linking'

/** Remembers that the browser left to connect an account, not to sign in. */
export const rememberLinking = (provider: Provider): void => session.set(LINKING, provider)
export const clearLinking = (): void => session.remove(LINKING)
export const isLinking = (provider: Provider): boolean => session.get(LINKING) === provider

const REDIRECT = 'vg.redirect'
const SIGNING = [paths.login(), paths.signup(), paths.forgotPassword(), paths.resetPassword(), paths.verifyEmail()]

export const rememberReturnPath = (path: string): void => {
  if (!SIGNING.some((page) => path.startsWith(page))) session.set(REDIRECT, path)
}

/** Reads and clears the path; home if there is none. Only paths of this site are accepted. */
export function takeReturnPath(): string {
  const path = session.get(REDIRECT)
  session.remove(REDIRECT)
  return path && /^\/(?![/\\])/.test(path) ? path : paths.home()
}
