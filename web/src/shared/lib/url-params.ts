import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** A URL parameter: how it is parsed, and its default. */
type Param<T extends string> = { initial: T; parse: (text: string) => T | undefined }

/** Free text. */
export const freeText = (maxLength = 100): Param<string> => ({
  initial: '',
  parse: (text) => text.trim().slice(0, maxLength).trim(),
})

/** One of the known values. Anything else counts as absent. */
export const oneOf = <T extends string>(known: readonly T[], initial: NoInfer<T>): Param<T> => ({
  initial,
  parse: (text) => known.find((one) => one === text),
})

/** A value parsed by `parse`; `undefined` rejects it. */
export const parsedBy = (parse: (text: string) => string | undefined): Param<string> => ({ initial: '', parse })

type Params = Record<string, Param<string>>
type ValuesOf<P extends Params> = { [K in keyof P]: P[K] extends Param<infer T> ? T : never }

export type UrlParams<P extends Params> = {
  read: (params: URLSearchParams) => ValuesOf<P>
  /** The query string after a change. Foreign parameters stay; default values are left out. */
  write: (params: URLSearchParams, change: Partial<ValuesOf<P>>) => URLSearchParams
}
export type ParamsOf<U> = U extends UrlParams<infer P> ? ValuesOf<P> : never

/**
 * The filters of a list in the query string: the one place that maps URL parameters to types. `open` names the
 * parameter of the open detail. Changing a filter closes it, because the list changes.
 */
export function urlParams<const P extends Params>(defined: P, open?: NoInfer<keyof P & string>): UrlParams<P> {
  return {
    read: (params) =>
      Object.fromEntries(
        Object.entries(defined).map(([name, param]) => [name, param.parse(params.get(name) ?? '') || param.initial]),
      ) as ValuesOf<P>,
    write: (params, change) => {
      const next = new URLSearchParams(params)
      if (open && !(open in change)) next.delete(open)
      for (const [name, value] of Object.entries<string | undefined>(change)) {
        if (value && value !== defined[name]?.initial) next.set(name, value)
        else next.delete(name)
      }
      return next
    },
  }
}

type Setters<P extends Params> = {
  /** Replaces the history entry: going back leaves the page. */
  replace: (change: Partial<ValuesOf<P>>) => void
  /** Adds a history entry: going back undoes the change, such as an opened detail. */
  push: (change: Partial<ValuesOf<P>>) => void
  /** The query string after a change, for links. */
  link: (change: Partial<ValuesOf<P>>) => string
}

/** The parsed parameters of the current page and the functions that change them. */
export function useUrlParams<P extends Params>(definition: UrlParams<P>): [ValuesOf<P>, Setters<P>] {
  const [params, setParams] = useSearchParams()
  const after = useCallback((change: Partial<ValuesOf<P>>) => definition.write(params, change), [definition, params])
  return [
    definition.read(params),
    {
      replace: (change) => setParams(after(change), { replace: true, preventScrollReset: true }),
      push: (change) => setParams(after(change), { preventScrollReset: true }),
      link: (change) => `?${after(change)}`,
    },
  ]
}
