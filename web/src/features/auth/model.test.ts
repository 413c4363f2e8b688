import { describe, expect, it } from 'vitest'
import { ApiError, type ErrorCode } from '@/shared/api/errors'
import {
  codeOf,
  readAnswer,
  rememberReturnPath,
  serverProblems,
  signInProblems,
  signUpProblems,
  socialFailure,
  takeReturnPath,
} from './model'

const good = { email: 'mira@example.com', password: 'long enough', name: 'Mira', terms: true, privacy: true }

describe('the sign-up form', () => {
  it('accepts a complete form', () => {
    expect(signUpProblems(good)).toEqual({})
  })

  it('requires names of 2 to 20 characters, counting emoji as one', () => {
    expect(signUpProblems({ ...good, name: ' ' }).name).toBe('nameRequired')
    expect(signUpProblems({ ...good, name: 'M' }).name).toBe('nameLength')
    expect(signUpProblems({ ...good, name: '😀'.repeat(20) }).name).toBeUndefined()
    expect(signUpProblems({ ...good, name: 'a'.repeat(21) }).name).toBe('nameLength')
  })

  it('requires both consents, an address and a password of 8 to 128 characters', () => {
    expect(signUpProblems({ ...good, privacy: false }).terms).toBe('terms')
    expect(signUpProblems({ ...good, email: 'mira' }).email).toBe('emailInvalid')
    expect(signUpProblems({ ...good, password: 'short' }).password).toBe('passwordLength')
    expect(signUpProblems({ ...good, password: 'x'.repeat(129) }).password).toBe('passwordLength')
  })

  it('requires only address and password to sign in', () => {
    expect(signInProblems({ ...good, name: '', terms: false })).toEqual({})
    expect(signInProblems({ ...good, email: '', password: '' })).toEqual({
      email: 'emailRequired',
      password: 'passwordRequired',
    })
  })
})

describe('a server error', () => {
  it.each([
    ['AUTH_ALREADY_EMAIL', { email: 'alreadyEmail' }],
    ['AUTH_LINKED_GOOGLE', { email: 'linkedGoogle' }],
    ['AUTH_LINKED_DISCORD', { email: 'linkedDiscord' }],
    ['AUTH_WRONG_CREDENTIALS', { password: 'wrongCredentials' }],
    ['AUTH_TERMS_REQUIRED', { terms: 'terms' }],
  ] as const)('maps %s to its field', (code, problems) => {
    expect(serverProblems(new ApiError(400, { code }))).toEqual(problems)
  })

  it('maps the fields of a rejected form and leaves the rest to a general message', () => {
    const error = new ApiError(400, {
      code: 'VALIDATION_FAILED',
      details: [{ field: 'name', message: 'a name has 2 to 20 characters' }],
    })
    expect(serverProblems(error)).toEqual({ name: 'nameLength' })
    expect(serverProblems(new ApiError(500))).toEqual({})
  })
})

describe('the path to return to after sign-in', () => {
  it('is read once', () => {
    rememberReturnPath('/easy-app/1?job=2')
    expect(takeReturnPath()).toBe('/easy-app/1?job=2')
    expect(takeReturnPath()).toBe('/')
  })

  it('is never another site, nor the sign-in page', () => {
    for (const path of ['//evil.example', 'https://evil.example', '/\\evil.example', '/login', '/reset-password']) {
      rememberReturnPath(path)
      expect(takeReturnPath()).toBe('/')
    }
  })
})

describe('the return from a provider', () => {
  it('has a code and a state', () => {
    expect(readAnswer('?code=a%2Fb&state=s&scope=email')).toEqual({ code: 'a/b', state: 's' })
  })

  it('distinguishes a canceled sign-in from other failures', () => {
    expect(readAnswer('?error=access_denied&state=s')).toEqual({ failure: 'declined' })
    expect(readAnswer('?error=server_error')).toEqual({ failure: 'refused' })
    expect(readAnswer('?code=only')).toEqual({ failure: 'expired' })
    expect(readAnswer('')).toEqual({ failure: 'expired' })
  })

  it.each([
    ['AUTH_SOCIAL_EXPIRED', 'expired'],
    ['AUTH_SOCIAL_REFUSED', 'refused'],
    ['AUTH_SOCIAL_EMAIL', 'email'],
    ['AUTH_LINKED_GOOGLE', 'linkedGoogle'],
    ['AUTH_LINKED_DISCORD', 'linkedDiscord'],
    ['AUTH_ALREADY_EMAIL', 'alreadyEmail'],
    ['UNAVAILABLE', 'away'],
    ['SOMETHING_ELSE', 'other'],
  ])('maps %s to a message', (code, failure) => {
    // Later versions of the server may have unknown codes.
    expect(socialFailure(new ApiError(400, { code: code as ErrorCode }))).toBe(failure)
  })
})

it('reads the code of a link only from the hash', () => {
  expect(codeOf('#code=abc_-1')).toBe('abc_-1')
  expect(codeOf('')).toBe('')
  expect(codeOf('#other=1')).toBe('')
})
