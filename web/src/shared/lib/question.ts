import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** One value of a question: how it is read from an address, and what it is where the address says nothing. */
type Part<T extends string> = { first: T; read: (text: string) => T | undefined }

/** Words that were typed. */
export const words = (most = 100): Part<string> => ({ first: '', read: (text) => text.trim().slice(0, most).trim() })

/** One of what is known; what is not is as if nothing was said. */
export const oneOf = <T extends string>(known: readonly T[], first: NoInfer<T>): Part<T> => ({
  first,
  read: (text) => known.find((one) => one === text),
})

/** Whatever this makes of the text; `undefined` for what it cannot be. */
export const readBy = (read: (text: string) => string | undefined): Part<string> => ({ first: '', read })

type Parts = Record<string, Part<string>>
type Asked<P extends Parts> = { [K in keyof P]: P[K] extends Part<infer T> ? T : never }

export type Question<P extends Parts> = {
  read: (params: URLSearchParams) => Asked<P>
  /** The address after some answers more. What is not part of the question stays; what is said by saying nothing goes. */
  write: (params: URLSearchParams, change: Partial<Asked<P>>) => URLSearchParams
}
export type AskedOf<Q> = Q extends Question<infer P> ? Asked<P> : never

/**
 * What of a list is asked for, as it stands in the address: the one place that knows both the names there and the types
 * here. `open` names what is open beside the list: with another answer another list is shown, and nothing is open.
 */
export function question<const P extends Parts>(parts: P, open?: NoInfer<keyof P & string>): Question<P> {
  return {
    read: (params) =>
      Object.fromEntries(
        Object.entries(parts).map(([name, part]) => [name, part.read(params.get(name) ?? '') || part.first]),
      ) as Asked<P>,
    write: (params, change) => {
      const next = new URLSearchParams(params)
      if (open && !(open in change)) next.delete(open)
      for (const [name, value] of Object.entries<string | undefined>(change)) {
        if (value && value !== parts[name]?.first) next.set(name, value)
        else next.delete(name)
      }
      return next
    },
  }
}

type Answers<P extends Parts> = {
  /** Answers in place: going back leaves the page. */
  answer: (change: Partial<Asked<P>>) => void
  /** Answers as a step that going back undoes: something is opened or closed. */
  step: (change: Partial<Asked<P>>) => void
  /** The address of an answer, for links. */
  link: (change: Partial<Asked<P>>) => string
}

/** The question of the page as its address has it, and the ways to change it. */
export function useQuestion<P extends Parts>(asking: Question<P>): [Asked<P>, Answers<P>] {
  const [params, setParams] = useSearchParams()
  const to = useCallback((change: Partial<Asked<P>>) => asking.write(params, change), [asking, params])
  return [
    asking.read(params),
    {
      answer: (change) => setParams(to(change), { replace: true, preventScrollReset: true }),
      step: (change) => setParams(to(change), { preventScrollReset: true }),
      link: (change) => `?${to(change)}`,
    },
  ]
}
