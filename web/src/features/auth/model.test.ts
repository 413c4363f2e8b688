import { describe, expect, it } from 'vitest'
import { ApiError, type ErrorCode } from '@/shared/api/errors'
import {
  codeOf,
  readAnswer,
  rememberPlace,
  serverProblems,
  signInProblems,
  signUpProblems,
  socialFailure,
  takePlace,
} from './model'

const good = { email: 'mira@example.com', password: 'long enough', name: 'Mira', terms: true, privacy: true }

describe('the sign-up form', () => {
  it('accepts a full form', () => {
    expect(signUpProblems(good)).toEqual({})
  })

  it('wants names of 2 to 20 characters, counted as people count', () => {
    expect(signUpProblems({ ...good, name: ' ' }).name).toBe('nameRequired')
    expect(signUpProblems({ ...good, name: 'M' }).name).toBe('nameLength')
    expect(signUpProblems({ ...good, name: '😀'.repeat(20) }).name).toBeUndefined()
    expect(signUpProblems({ ...good, name: 'a'.repeat(21) }).name).toBe('nameLength')
  })

  it('wants both agreements, an address and a password of 8 to 128 characters', () => {
    expect(signUpProblems({ ...good, privacy: false }).terms).toBe('terms')
    expect(signUpProblems({ ...good, email: 'mira' }).email).toBe('emailInvalid')
    expect(signUpProblems({ ...good, password: 'short' }).password).toBe('passwordLength')
    expect(signUpProblems({ ...good, password: 'x'.repeat(129) }).password).toBe('passwordLength')
  })

  it('asks for nothing but address and password to sign in', () => {
    expect(signInProblems({ ...good, name: '', terms: false })).toEqual({})
    expect(signInProblems({ ...good, email: '', password: '' })).toEqual({
      email: 'emailRequired',
      password: 'passwordRequired',
    })
  })
})

describe('an answer of the server', () => {
  it.each([
    ['AUTH_ALREADY_EMAIL', { email: 'alreadyEmail' }],
    ['AUTH_LINKED_GOOGLE', { email: 'linkedGoogle' }],
    ['AUTH_LINKED_DISCORD', { email: 'linkedDiscord' }],
    ['AUTH_WRONG_CREDENTIALS', { password: 'wrongCredentials' }],
    ['AUTH_TERMS_REQUIRED', { terms: 'terms' }],
  ] as const)('puts %s at its field', (code, problems) => {
    expect(serverProblems(new ApiError(400, { code }))).toEqual(problems)
  })

  it('reads the fields of a refused form and leaves the rest to a general message', () => {
    const error = new ApiError(400, {
      code: 'VALIDATION_FAILED',
      details: [{ field: 'name', message: 'a name has 2 to 20 characters' }],
    })
    expect(serverProblems(error)).toEqual({ name: 'nameLength' })
    expect(serverProblems(new ApiError(500))).toEqual({})
  })
})

describe('the place to go after signing in', () => {
  it('is remembered once', () => {
    rememberPlace('/easy-app/1?job=2')
    expect(takePlace()).toBe('/easy-app/1?job=2')
    expect(takePlace()).toBe('/')
  })

  it('is never another site, and never the sign-in page itself', () => {
    for (const path of ['//evil.example', 'https://evil.example', '/\\evil.example', '/login', '/reset-password']) {
      rememberPlace(path)
      expect(takePlace()).toBe('/')
    }
  })
})

describe('the way back from a provider', () => {
  it('has a code and a state', () => {
    expect(readAnswer('?code=a%2Fb&state=s&scope=email')).toEqual({ code: 'a/b', state: 's' })
  })

  it('tells a person who declined from everything else that went wrong', () => {
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
  ])('has words for %s', (code, failure) => {
    // Later versions of the server may have codes that these pages do not know.
    expect(socialFailure(new ApiError(400, { code: code as ErrorCode }))).toBe(failure)
  })
})

it('finds the code of a link behind the #, and nowhere else', () => {
  expect(codeOf('#code=abc_-1')).toBe('abc_-1')
  expect(codeOf('')).toBe('')
  expect(codeOf('#other=1')).toBe('')
})
