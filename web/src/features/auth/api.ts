import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { api, data } from '@/shared/api/client'
import { ApiError, isApiError } from '@/shared/api/errors'
import { keys } from '@/shared/api/keys'
import type { User } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { type Language, showLanguage } from '@/shared/i18n'
import { local } from '@/shared/lib/storage'
import { notifyTabs } from '@/shared/lib/tabs'
import { clearSignUp, isPending, type PendingSignUp, type Provider, storeSignUp } from './model'

const DAY_MS = 86_400_000
/** Refetch interval of a visible page, maximum age on return, and interval after an error. */
const REFETCH_MS = 60_000
const MAX_AGE_MS = 10_000
const RETRY_MS = 10_000
/** Set while a user is signed in on this browser. Scripts cannot read the session itself. */
const SIGNED_IN = 'vg.signedIn'

function remember(user: User | null): User | null {
  if (user) local.set(SIGNED_IN, 'yes')
  else local.remove(SIGNED_IN)
  return user
}

/** Switches the page to the language of the account. */
function applyUserLanguage(user: User | null): User | null {
  if (user && user.language !== i18next.resolvedLanguage) void showLanguage(user.language).catch(() => undefined)
  return user
}

/** Whether a user was signed in when the server last answered. */
export const wasSignedIn = (): boolean => local.get(SIGNED_IN) !== null

const isSettled = (signal: AbortSignal): Promise<User | null> =>
  data(api.GET('/api/auth', { params: { query: { guest: 'null' } }, signal }))

export const userQuery = () =>
  queryOptions({
    queryKey: keys.auth.user,
    queryFn: ({ signal }): Promise<User | null> =>
      isSettled(signal)
        .catch((error: unknown) => {
          if (isApiError(error, 401)) return null
          throw error
        })
        .then(remember)
        .then(applyUserLanguage),
    staleTime: DAY_MS,
    gcTime: DAY_MS,
    // Programs spend credits too, and sessions end elsewhere. Guests stay guests until they sign in.
    refetchInterval: ({ state }) => (state.data ? REFETCH_MS : state.status === 'error' ? RETRY_MS : false),
    refetchOnWindowFocus: ({ state }) =>
      state.data && Date.now() - state.dataUpdatedAt > MAX_AGE_MS ? 'always' : state.status === 'error',
  })

/** The state of the session. `failed`: the server did not answer. */
export type Session =
  | { is: 'unknown' }
  | { is: 'guest' }
  | { is: 'user'; user: User }
  | { is: 'failed'; error: Error; retry: () => void }

export function useSession(): Session {
  const { data: user, error, isError, refetch } = useQuery(userQuery())
  if (user) return { is: 'user', user }
  if (user === null) return { is: 'guest' }
  return isError ? { is: 'failed', error, retry: () => void refetch() } : { is: 'unknown' }
}

/** `undefined` until the server has answered. */
export function useUser(): User | null | undefined {
  return useQuery(userQuery()).data
}

/**
 * Whether to show the guest view: the visitor is a guest, or the answer is pending and no user was signed in before.
 * For display only: do not refuse or redirect by it.
 */
export function useGuest(): boolean {
  const user = useUser()
  return user === null || (user === undefined && !wasSignedIn())
}

async function signInAs(client: QueryClient, user: User): Promise<void> {
  await switchUser(client, user)
  notifyTabs()
}

export const planQuery = () =>
  queryOptions({
    queryKey: keys.account.plan,
    queryFn: ({ signal }) => data(api.GET('/api/auth/me/subscription', { signal })),
  })

/** Drops cached data of the previous user and refetches what is shown. */
async function switchUser(client: QueryClient, user: User): Promise<void> {
  client.removeQueries({ type: 'inactive' })
  client.setQueryData(userQuery().queryKey, remember(user))
  await showLanguage(user.language)
  await client.resetQueries({ predicate: (query) => query.queryKey[0] !== 'auth' })
}

/** Drops cached data of the user and shows the guest view. */
export function leave(client: QueryClient): void {
  client.setQueryData(userQuery().queryKey, remember(null))
  client.removeQueries({ type: 'inactive', predicate: (query) => query.queryKey[0] !== 'auth' })
}

/** Another tab signed in or out: reloads the user and shows the result. */
export async function syncTabs(client: QueryClient): Promise<void> {
  const before = client.getQueryData(userQuery().queryKey)
  const user = await client.fetchQuery({ ...userQuery(), staleTime: 0 })
  if (user?._id === before?._id) return
  if (user) await switchUser(client, user)
  else leave(client)
}

type Credentials = { email: string; password: string }
export type Registration = Credentials & {
  name: string
  language: Language
  termsAccepted: boolean
  privacyAccepted: boolean
}

export function useSignIn() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Credentials): Promise<User> => data(api.POST('/api/auth/login/email-password', { body })),
    onSuccess: (user) => signInAs(client, user),
  })
}

/** Signs up. Returns the new user or, if the installation sends mail, the pending sign-up. */
export function useSignUp() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: Registration): Promise<User | PendingSignUp> => {
      const answer = api.POST('/api/auth/signup/email-password', { body })
      const { status } = (await answer).response
      // Any other success, e.g. of a proxy, counts as a refusal.
      if (status !== 201 && status !== 202) {
        throw new ApiError(status, { code: 'NOT_CREATED', message: `answered with ${status}` })
      }
      return data(answer)
    },
    onSuccess: async (answer) => {
      if (isPending(answer)) storeSignUp(answer)
      else await signInAs(client, answer)
    },
  })
}

export function useFinishSignUp() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { signUp: string; code: string }): Promise<User> =>
      data(api.POST('/api/auth/signup/email-password/code', { body })),
    onSuccess: (user) => {
      clearSignUp()
      return signInAs(client, user)
    },
  })
}

export const signInOptionsQuery = () =>
  queryOptions({
    queryKey: keys.auth.options,
    queryFn: ({ signal }) => data(api.GET('/api/public/sign-in-options', { signal })),
    staleTime: DAY_MS,
  })

/** Gets the provider's address and goes there. The page is left, so success shows nothing. */
export function useGoToProvider() {
  return useMutation({
    mutationFn: (provider: Provider) =>
      data(
        provider === 'google' ? api.POST('/api/auth/signup/google/start') : api.POST('/api/auth/signup/discord/start'),
      ),
    onSuccess: ({ url }) => window.location.assign(url),
  })
}

export type SocialCallback = {
  provider: Provider
  /** Only in the first request: a code works once, and the user agrees to the terms afterwards. */
  code?: string
  state: string
  language: Language
  termsAccepted: boolean
  privacyAccepted: boolean
}

export function useFinishSocial() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ provider, ...body }: SocialCallback): Promise<User> =>
      data(
        provider === 'google'
          ? api.POST('/api/auth/signup/google', { body })
          : api.POST('/api/auth/signup/discord', { body }),
      ),
    onSuccess: (user) => signInAs(client, user),
  })
}

/** Goes to a provider to connect it to the signed-in account. */
export function useStartLinking() {
  return useMutation({
    mutationFn: (provider: Provider) =>
      data(api.POST('/api/auth/me/identity/{provider}/start', { params: { path: { provider } } })),
    onSuccess: ({ url }) => window.location.assign(url),
  })
}

/** Confirms an address, and reloads the user because it may be theirs. */
export function useVerifyEmail() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => api.POST('/api/auth/verify-email', { body: { code } }),
    onSuccess: () => client.invalidateQueries({ queryKey: userQuery().queryKey }),
  })
}

export function useResendVerification() {
  return useMutation({ mutationFn: () => api.POST('/api/auth/verify-email/resend') })
}

export function useForgotPassword() {
  return useMutation({ mutationFn: (email: string) => api.POST('/api/auth/password/forgot', { body: { email } }) })
}

export function useResetPassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { code: string; password: string }): Promise<User> =>
      data(api.POST('/api/auth/password/reset', { body })),
    onSuccess: (user) => signInAs(client, user),
  })
}

/** Ends the session and reloads the page, so that no data stays in memory. */
export function useSignOut() {
  return useMutation({
    mutationFn: () => api.POST('/api/auth/logout'),
    onSuccess: () => {
      notifyTabs()
      window.location.reload()
    },
  })
}

/** Saves the language of the account and reloads the page. */
export function useSaveLanguage() {
  return useMutation({
    mutationFn: (language: Language): Promise<User> => data(api.PATCH('/api/auth/me/language', { body: { language } })),
    onSuccess: async (user) => {
      await showLanguage(user.language)
      window.location.reload()
    },
  })
}

/** A mutation that returns the changed user, who is shown at once. */
function useUserChange<Change>(change: (value: Change) => Promise<User>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (user) => client.setQueryData(userQuery().queryKey, user),
  })
}

export const useRename = () => useUserChange((name: string) => data(api.PATCH('/api/auth/me/name', { body: { name } })))

export const useSetPortrait = () =>
  useUserChange((assetId: string | null) => data(api.PATCH('/api/auth/me/profile', { body: { assetId } })))

/** Finishes what `useStartLinking` began. */
export const useFinishLinking = () =>
  useUserChange(({ provider, ...body }: { provider: Provider; code: string; state: string }) =>
    data(api.POST('/api/auth/me/identity/{provider}', { params: { path: { provider } }, body })),
  )

export const useUnlink = () =>
  useUserChange((provider: Provider) =>
    data(api.DELETE('/api/auth/me/identity/{provider}', { params: { path: { provider } } })),
  )

/** Changes the password, or sets the first one of a user who signs in through a provider. */
export const useSetPassword = () =>
  useUserChange((body: { current?: string; password: string }) => data(api.PATCH('/api/auth/me/password', { body })))
