import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { api, data } from '@/shared/api/client'
import { ApiError, isApiError } from '@/shared/api/errors'
import { keys } from '@/shared/api/keys'
import type { User } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { type Language, showLanguage } from '@/shared/i18n'
import { local } from '@/shared/lib/storage'
import { tellTabs } from '@/shared/lib/tabs'
import { forgetSignUp, isPending, keepSignUp, type PendingSignUp, type Provider } from './model'

const DAY_MS = 86_400_000
/** How often a page that is looked at asks who is here, how long it may have been away, and when it asks again. */
const LOOK_MS = 60_000
const AWAY_MS = 10_000
const AGAIN_MS = 10_000
/** Kept while somebody is signed in on this browser. The session itself no script can see. */
const SIGNED_IN = 'vg.signedIn'

function remember(user: User | null): User | null {
  if (user) local.set(SIGNED_IN, 'yes')
  else local.remove(SIGNED_IN)
  return user
}

/** The language belongs to the account: a browser that was set to another one follows it. */
function inTheirLanguage(user: User | null): User | null {
  if (user && user.language !== i18next.resolvedLanguage) void showLanguage(user.language).catch(() => undefined)
  return user
}

/** Whether somebody was signed in on this browser when it was asked last. */
export const wasSignedIn = (): boolean => local.get(SIGNED_IN) !== null

const whoIsHere = (signal: AbortSignal): Promise<User | null> =>
  data(api.GET('/api/auth', { params: { query: { guest: 'null' } }, signal }))

/** The signed-in user, or null for a guest. */
export const userQuery = () =>
  queryOptions({
    queryKey: keys.auth.user,
    queryFn: ({ signal }): Promise<User | null> =>
      whoIsHere(signal)
        .catch((error: unknown) => {
          if (isApiError(error, 401)) return null
          throw error
        })
        .then(remember)
        .then(inTheirLanguage),
    staleTime: DAY_MS,
    gcTime: DAY_MS,
    // Credits are spent by programs too, and sessions end elsewhere. A guest stays one until they sign in.
    refetchInterval: ({ state }) => (state.data ? LOOK_MS : state.status === 'error' ? AGAIN_MS : false),
    refetchOnWindowFocus: ({ state }) =>
      state.data && Date.now() - state.dataUpdatedAt > AWAY_MS ? 'always' : state.status === 'error',
  })

/** Who is here, as far as it is known. `failed` is neither: the server did not say. */
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

/** `undefined` until it is known who is there. */
export function useUser(): User | null | undefined {
  return useQuery(userQuery()).data
}

/**
 * Whether to show what guests see: nobody is signed in, or it is not known yet and nobody was before. What guests see
 * need not wait then. Nothing may be refused by it, and nobody be sent elsewhere.
 */
export function useGuest(): boolean {
  const user = useUser()
  return user === null || (user === undefined && !wasSignedIn())
}

/** Somebody signed in here: this tab is theirs, and the others find out. */
async function enterAs(client: QueryClient, user: User): Promise<void> {
  await showAs(client, user)
  tellTabs()
}

/** The plan of whoever is signed in, and what it allows. */
export const planQuery = () =>
  queryOptions({
    queryKey: keys.account.plan,
    queryFn: ({ signal }) => data(api.GET('/api/auth/me/subscription', { signal })),
  })

/** Everything that was loaded for someone else goes; what is on the screen is asked for again. */
async function showAs(client: QueryClient, user: User): Promise<void> {
  client.removeQueries({ type: 'inactive' })
  client.setQueryData(userQuery().queryKey, remember(user))
  await showLanguage(user.language)
  await client.resetQueries({ predicate: (query) => query.queryKey[0] !== 'auth' })
}

/** Nobody is signed in any more: what was loaded for them goes, and what is on the screen is a guest's. */
export function leave(client: QueryClient): void {
  client.setQueryData(userQuery().queryKey, remember(null))
  client.removeQueries({ type: 'inactive', predicate: (query) => query.queryKey[0] !== 'auth' })
}

/** Another tab says that somebody signed in or out: asks who is here now, and shows it. */
export async function followTabs(client: QueryClient): Promise<void> {
  const before = client.getQueryData(userQuery().queryKey)
  const user = await client.fetchQuery({ ...userQuery(), staleTime: 0 })
  if (user?._id === before?._id) return
  if (user) await showAs(client, user)
  else leave(client)
}

export type Credentials = { email: string; password: string }
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
    onSuccess: (user) => enterAs(client, user),
  })
}

/** Signs up: the new user, or, where the installation sends mail, the sign-up that waits for the mailed code. */
export function useSignUp() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: Registration): Promise<User | PendingSignUp> => {
      const answer = api.POST('/api/auth/signup/email-password', { body })
      const { status } = (await answer).response
      // Signing up makes something: an answer that does not say so (of a proxy, say) is a refusal.
      if (status !== 201 && status !== 202) {
        throw new ApiError(status, { code: 'NOT_CREATED', message: `answered with ${status}` })
      }
      return data(answer)
    },
    onSuccess: async (answer) => {
      if (isPending(answer)) keepSignUp(answer)
      else await enterAs(client, answer)
    },
  })
}

/** Finishes a sign-up with the code of the mail. */
export function useFinishSignUp() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { signUp: string; code: string }): Promise<User> =>
      data(api.POST('/api/auth/signup/email-password/code', { body })),
    onSuccess: (user) => {
      forgetSignUp()
      return enterAs(client, user)
    },
  })
}

/** The ways to sign in that this installation offers, beside address and password. */
export const signInOptionsQuery = () =>
  queryOptions({
    queryKey: keys.auth.options,
    queryFn: ({ signal }) => data(api.GET('/api/public/sign-in-options', { signal })),
    staleTime: DAY_MS,
  })

/** Asks where the provider's page is, and goes there. The page is left, so a success shows nothing. */
export function useLeaveFor() {
  return useMutation({
    mutationFn: (provider: Provider) =>
      data(
        provider === 'google' ? api.POST('/api/auth/signup/google/start') : api.POST('/api/auth/signup/discord/start'),
      ),
    onSuccess: ({ url }) => window.location.assign(url),
  })
}

export type SocialReturn = {
  provider: Provider
  /** Only the first time: a code works once, and agreeing to the terms comes after it. */
  code?: string
  state: string
  language: Language
  termsAccepted: boolean
  privacyAccepted: boolean
}

export function useFinishSocial() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ provider, ...body }: SocialReturn): Promise<User> =>
      data(
        provider === 'google'
          ? api.POST('/api/auth/signup/google', { body })
          : api.POST('/api/auth/signup/discord', { body }),
      ),
    onSuccess: (user) => enterAs(client, user),
  })
}

/** Leaves for a provider's page to connect the account that is signed in. */
export function useStartLinking() {
  return useMutation({
    mutationFn: (provider: Provider) =>
      data(api.POST('/api/auth/me/identity/{provider}/start', { params: { path: { provider } } })),
    onSuccess: ({ url }) => window.location.assign(url),
  })
}

/** Confirms an address. Whoever is signed in here is asked for anew, because it may be theirs. */
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
    onSuccess: (user) => enterAs(client, user),
  })
}

/** Ends the session and starts the page anew, so that nothing of the account stays in memory. */
export function useSignOut() {
  return useMutation({
    mutationFn: () => api.POST('/api/auth/logout'),
    onSuccess: () => {
      tellTabs()
      window.location.reload()
    },
  })
}

/** Saves the language of the account; the page starts anew in it. */
export function useSaveLanguage() {
  return useMutation({
    mutationFn: (language: Language): Promise<User> => data(api.PATCH('/api/auth/me/language', { body: { language } })),
    onSuccess: async (user) => {
      await showLanguage(user.language)
      window.location.reload()
    },
  })
}

/** What changes the signed-in user gives the user back, who is shown at once. */
function useUserChange<Change>(change: (value: Change) => Promise<User>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (user) => client.setQueryData(userQuery().queryKey, user),
  })
}

export const useRename = () => useUserChange((name: string) => data(api.PATCH('/api/auth/me/name', { body: { name } })))

/** Puts an uploaded picture beside the name; null takes it away. */
export const useSetPortrait = () =>
  useUserChange((assetId: string | null) => data(api.PATCH('/api/auth/me/profile', { body: { assetId } })))

/** Ends what `useStartLinking` began. */
export const useFinishLinking = () =>
  useUserChange(({ provider, ...body }: { provider: Provider; code: string; state: string }) =>
    data(api.POST('/api/auth/me/identity/{provider}', { params: { path: { provider } }, body })),
  )

export const useUnlink = () =>
  useUserChange((provider: Provider) =>
    data(api.DELETE('/api/auth/me/identity/{provider}', { params: { path: { provider } } })),
  )

/** Sets another password, or the first one of somebody who signs in through others. */
export const useSetPassword = () =>
  useUserChange((body: { current?: string; password: string }) => data(api.PATCH('/api/auth/me/password', { body })))
