import { type MutationMeta, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { DOUBLE_CLICK_MS } from '@/shared/lib/double-click-guard'
import type { User } from './types'
import { useMutation } from './use-mutation'

/** The requested state of an item. */
type ToggleRequest = { id: string; on: boolean }

type ToggleOptions<Response> = {
  /** Namespace of the ids: likes of pictures do not wait for likes of workflows. */
  of: string
  /** Runs the action for the signed-in user, or asks a guest to sign in. */
  asUser: (act: (user: User) => void) => void
  /** Shows the new state everywhere at once and returns a function that undoes it. */
  show: (request: ToggleRequest, user: User) => () => void
  send: (request: ToggleRequest) => Promise<Response>
  /** Applies the server's response, which overrides what was shown. */
  settle: (response: Response, request: ToggleRequest, user: User) => void
  meta?: MutationMeta
}

type ToggleState = { on: boolean; pressedAt: number; isSending: boolean; undo: (() => void)[] }

/** Per query client, so that the like buttons of a card and of the open page share their state. */
const states = new WeakMap<QueryClient, Map<string, ToggleState>>()

/**
 * A like or follow button. It shows the new state at once and undoes it if the server refuses. Only one request per
 * item runs at a time: a press during a request is sent afterwards if the requested state differs by then. The second
 * half of a double click is ignored.
 */
export function useToggle<Response>({ of, asUser, show, send, settle, meta }: ToggleOptions<Response>) {
  const client = useQueryClient()
  const all = states.get(client) ?? new Map<string, ToggleState>()
  states.set(client, all)
  const { mutate } = useMutation({
    once: null,
    ...(meta && { meta }),
    mutationFn: async ({ id, user, state }: { id: string; user: User; state: ToggleState }) => {
      let { on } = state
      try {
        for (;;) {
          const response = await send({ id, on })
          if (state.on === on) return settle(response, { id, on }, user)
          // The server has this state: a later undo must not go back further.
          state.undo = state.undo.slice(-1)
          on = state.on
        }
      } catch (error) {
        for (const undo of state.undo.reverse()) undo()
        // A refused toggle can be repeated at once.
        state.pressedAt = 0
        throw error
      } finally {
        state.isSending = false
        state.undo = []
      }
    },
  })
  return (request: ToggleRequest): void =>
    asUser((user) => {
      const key = `${of} ${request.id}`
      const now = Date.now()
      const state = all.get(key) ?? { on: !request.on, pressedAt: 0, isSending: false, undo: [] }
      if (now - state.pressedAt < DOUBLE_CLICK_MS || (state.isSending && state.on === request.on)) return
      all.set(key, Object.assign(state, { on: request.on, pressedAt: now }))
      state.undo.push(show(request, user))
      if (state.isSending) return
      state.isSending = true
      mutate({ id: request.id, user, state })
    })
}
