import { type MutationMeta, type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { User } from './types'
import { QUIET_MS, useMutation } from './use-mutation'

/** What somebody wishes of a thing: on or off. */
type Wish = { id: string; on: boolean }

type Toggle<Answer> = {
  /** Whose the wishes are: likes of pictures do not wait for likes of workflows. */
  of: string
  /** Does it as whoever is signed in, and asks a guest to sign in. */
  asUser: (act: (user: User) => void) => void
  /** Shows it everywhere at once; what it gives takes that back. */
  show: (wish: Wish, user: User) => () => void
  send: (wish: Wish) => Promise<Answer>
  /** The answer of the server, which knows better than what was shown. */
  settle: (answer: Answer, wish: Wish, user: User) => void
  meta?: MutationMeta
}

type Standing = { wished: boolean; at: number; sending: boolean; back: (() => void)[] }

/** By client, so that the heart of a card and the one of the open page are the same one. */
const standings = new WeakMap<QueryClient, Map<string, Standing>>()

/**
 * Likes, favourites and the like of them: turned at once, turned back where the server refuses. One request at a time: a
 * press while it is under way is remembered, and sent after it if the last wish is another one by then. The second half
 * of a double press does nothing.
 */
export function useToggle<Answer>({ of, asUser, show, send, settle, meta }: Toggle<Answer>) {
  const client = useQueryClient()
  const all = standings.get(client) ?? new Map<string, Standing>()
  standings.set(client, all)
  const { mutate } = useMutation({
    once: null,
    ...(meta && { meta }),
    mutationFn: async ({ wish, user, standing }: { wish: Wish; user: User; standing: Standing }) => {
      let on = wish.on
      try {
        for (;;) {
          const answer = await send({ id: wish.id, on })
          if (standing.wished === on) return settle(answer, { id: wish.id, on }, user)
          // The server has this one: what is taken back later does not go behind it.
          standing.back = standing.back.slice(-1)
          on = standing.wished
        }
      } catch (error) {
        for (const back of standing.back.reverse()) back()
        // Whoever is refused may try again at once.
        standing.at = 0
        throw error
      } finally {
        standing.sending = false
        standing.back = []
      }
    },
  })
  return (wish: Wish): void =>
    asUser((user) => {
      const key = `${of} ${wish.id}`
      const now = Date.now()
      const held = all.get(key)
      if (held && (now - held.at < QUIET_MS || (held.sending && held.wished === wish.on))) return
      const standing: Standing = held ?? { wished: wish.on, at: now, sending: false, back: [] }
      all.set(key, standing)
      Object.assign(standing, { wished: wish.on, at: now })
      standing.back.push(show(wish, user))
      if (standing.sending) return
      standing.sending = true
      mutate({ wish, user, standing })
    })
}
