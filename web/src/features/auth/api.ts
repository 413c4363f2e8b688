import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { isApiError } from '@/shared/api/errors'
import type { User } from '@/shared/api/types'
import { type Language, showLanguage } from '@/shared/i18n'

const DAY_MS = 86_400_000

/** The signed-in user, or null for a guest. */
export const userQuery = () =>
  queryOptions({
    queryKey: ['auth', 'user'] as const,
    queryFn: ({ signal }): Promise<User | null> =>
      data<User>(api.GET('/api/auth', { signal })).catch((error: unknown) => {
        if (isApiError(error, 401)) return null
        throw error
      }),
    staleTime: DAY_MS,
    gcTime: DAY_MS,
  })

/** `undefined` until it is known who is there. */
export function useUser(): User | null | undefined {
  return useQuery(userQuery()).data
}

/** Everything that was loaded for someone else goes; what is on the screen is asked for again. */
export async function enterAs(client: QueryClient, user: User): Promise<void> {
  client.removeQueries({ type: 'inactive' })
  client.setQueryData(userQuery().queryKey, user)
  await showLanguage(user.language)
  await client.resetQueries({ predicate: (query) => query.queryKey[0] !== 'auth' })
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
    mutationFn: (body: Credentials) => data<User>(api.POST('/api/auth/login/email-password', { body })),
    onSuccess: (user) => enterAs(client, user),
  })
}

export function useSignUp() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Registration) => data<User>(api.POST('/api/auth/signup/email-password', { body })),
    onSuccess: (user) => enterAs(client, user),
  })
}

/** Ends the session and starts the page anew, so that nothing of the account stays in memory. */
export function useSignOut() {
  return useMutation({
    mutationFn: () => api.POST('/api/auth/logout'),
    onSuccess: () => window.location.reload(),
  })
}

/** Saves the language of the account; the page starts anew in it. */
export function useSaveLanguage() {
  return useMutation({
    mutationFn: (language: Language) => data<User>(api.PATCH('/api/auth/me/language', { body: { language } })),
    onSuccess: async (user) => {
      await showLanguage(user.language)
      window.location.reload()
    },
  })
}

export function useRename() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => data<User>(api.PATCH('/api/auth/me/name', { body: { name } })),
    onSuccess: (user) => client.setQueryData(userQuery().queryKey, user),
  })
}
