import {
  type UseMutationOptions,
  type UseMutationResult,
  useMutation as useTanStackMutation,
} from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { DOUBLE_CLICK_MS } from '@/shared/lib/double-click-guard'

type RepeatGuard<Variables> = {
  /**
   * The key of a write: a second write with the same key is ignored while the first is pending and for the time of a
   * double click after. Defaults to the variables. `null` allows repeats.
   */
  once?: ((variables: Variables) => unknown) | null
}

type Callbacks<Data, Failure, Variables> = {
  onSuccess?: (data: Data, variables: Variables) => void
  onError?: (error: Failure, variables: Variables) => void
  onSettled?: () => void
}

/** `Omit` of each member of a union. */
type DistributiveOmit<Union, Keys extends string> = Union extends unknown ? Omit<Union, Keys> : never

export type Mutation<Data, Failure, Variables, Context = unknown> = DistributiveOmit<
  UseMutationResult<Data, Failure, Variables, Context>,
  'mutate' | 'mutateAsync'
> & {
  /** Sends the write. The callbacks run even if the calling component is unmounted by then. */
  mutate: (variables: Variables, callbacks?: Callbacks<Data, Failure, Variables>) => void
  /** Sends the write. A repeated call gets the response of the first. */
  mutateAsync: (variables: Variables, callbacks?: Callbacks<Data, Failure, Variables>) => Promise<Data>
}

/**
 * The mutation hook of all writes. A double click sends one request: a button that React disables while pending is
 * disabled too late for that. Its callbacks also run after the component is unmounted, so that a failure is reported
 * even if its dialog is closed.
 */
export function useMutation<Data = unknown, Failure = Error, Variables = void, Context = unknown>({
  once = (variables) => JSON.stringify(variables),
  ...options
}: UseMutationOptions<Data, Failure, Variables, Context> & RepeatGuard<Variables>): Mutation<
  Data,
  Failure,
  Variables,
  Context
> {
  const { mutate: _, mutateAsync: send, ...state } = useTanStackMutation(options)
  const recent = useRef(new Map<unknown, Promise<Data>>())
  const latest = useRef({ send, once })
  latest.current = { send, once }

  const mutateAsync = useCallback(
    (variables: Variables, callbacks: Callbacks<Data, Failure, Variables> = {}): Promise<Data> => {
      const { send, once } = latest.current
      const key = once?.(variables)
      const first = once && recent.current.get(key)
      if (first) return first
      const response = send(variables)
      if (once) {
        recent.current.set(key, response)
        const forget = () => recent.current.delete(key)
        // A refused write can be repeated at once.
        response.then(() => setTimeout(forget, DOUBLE_CLICK_MS), forget)
      }
      void response
        .then(
          (data) => callbacks.onSuccess?.(data, variables),
          (error: Failure) => callbacks.onError?.(error, variables),
        )
        .then(callbacks.onSettled)
      return response
    },
    [],
  )
  const mutate = useCallback(
    (variables: Variables, callbacks?: Callbacks<Data, Failure, Variables>) =>
      void mutateAsync(variables, callbacks).catch(() => undefined),
    [mutateAsync],
  )
  return { ...state, mutate, mutateAsync } as Mutation<Data, Failure, Variables, Context>
}
