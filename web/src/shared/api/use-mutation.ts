import { type UseMutationOptions, type UseMutationResult, useMutation as useObserved } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

/** How long after its end a press on the same thing still belongs to the first: the second half of a double press. */
export const QUIET_MS = 400

type Guard<Variables> = {
  /**
   * What makes two acts the same one: a second press while the first is under way, or a moment after, does nothing.
   * All that is sent where it is left out; `null` where the same may be done several times at once.
   */
  once?: ((variables: Variables) => unknown) | null
}

type Told<Data, Failure, Variables> = {
  onSuccess?: (data: Data, variables: Variables) => void
  onError?: (error: Failure, variables: Variables) => void
  onSettled?: () => void
}

/** `Omit` of each member of a union. */
type Without<Union, Keys extends string> = Union extends unknown ? Omit<Union, Keys> : never

type Write<Data, Failure, Variables, Context> = Without<
  UseMutationResult<Data, Failure, Variables, Context>,
  'mutate' | 'mutateAsync'
> & {
  /** Acts, and tells how it went even when whoever asked is gone from the page by then. */
  mutate: (variables: Variables, told?: Told<Data, Failure, Variables>) => void
  /** The same act again gives the answer of the first. */
  mutateAsync: (variables: Variables, told?: Told<Data, Failure, Variables>) => Promise<Data>
}

type Act<Data> = { answer: Promise<Data>; fresh: boolean }

/**
 * What every button that writes goes through. A press counts once however fast it is repeated: what React shows as busy
 * comes a moment too late for that. And what was asked for is told of to its end: a notice that something failed is not
 * lost with the layer that it was started from.
 */
export function useMutation<Data = unknown, Failure = Error, Variables = void, Context = unknown>({
  once = (variables) => JSON.stringify(variables),
  ...options
}: UseMutationOptions<Data, Failure, Variables, Context> & Guard<Variables>): Write<Data, Failure, Variables, Context> {
  const { mutate: _, mutateAsync: send, ...state } = useObserved(options)
  const under = useRef(new Map<unknown, Promise<Data>>())
  const latest = useRef({ send, once })
  latest.current = { send, once }

  const act = useCallback((variables: Variables): Act<Data> => {
    const { send, once } = latest.current
    const key = once?.(variables)
    const first = once && under.current.get(key)
    if (first) return { answer: first, fresh: false }
    const answer = send(variables)
    if (once) {
      const acts = under.current
      acts.set(key, answer)
      const forget = () => {
        if (acts.get(key) === answer) acts.delete(key)
      }
      // Whoever is refused may try again at once.
      answer.then(() => setTimeout(forget, QUIET_MS), forget)
    }
    return { answer, fresh: true }
  }, [])

  const run = useCallback(
    (variables: Variables, told?: Told<Data, Failure, Variables>): Promise<Data> => {
      const { answer, fresh } = act(variables)
      if (fresh) {
        void answer
          .then(
            (data) => told?.onSuccess?.(data, variables),
            (error: Failure) => told?.onError?.(error, variables),
          )
          .then(told?.onSettled)
      }
      return answer
    },
    [act],
  )
  const mutate = useCallback(
    (variables: Variables, told?: Told<Data, Failure, Variables>) => void run(variables, told).catch(() => undefined),
    [run],
  )
  return { ...state, mutate, mutateAsync: run } as Write<Data, Failure, Variables, Context>
}
