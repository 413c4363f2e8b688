import { type ChangeEvent, type RefObject, type SyntheticEvent, useEffect, useRef, useState } from 'react'

/** Error texts by field name. */
export type Problems = { [field: string]: string | undefined }

type FormOptions<Values> = {
  start: Values
  /** Values that are kept elsewhere, as by `useKeptDraft`. */
  state?: readonly [Values, (change: (before: Values) => Values) => void]
  /** Validates the values. The errors show from the first submit until they are fixed. */
  check?: (values: Values) => Problems
  /** Sends valid values. */
  send: (values: Values) => void
  /** The server's last refusal. It is cleared by the next change. */
  error?: unknown
  /** The parts of a refusal that belong to fields. */
  refused?: (error: unknown) => Problems
}

type TextName<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values] & string
type TextEvent = ChangeEvent<HTMLInputElement | HTMLTextAreaElement>

export type Form<Values> = {
  values: Values
  set: (change: Partial<Values>) => void
  /** Starts over with `next`, or with the initial values. */
  reset: (next?: Values) => void
  /** Props for a text field. */
  field: (name: TextName<Values>) => { value: string; error: string | undefined; onChange: (event: TextEvent) => void }
  problems: Problems
  /** A refusal that belongs to no field. */
  refusal: unknown
  /** Props for the `form` element. */
  form: { ref: RefObject<HTMLFormElement | null>; onSubmit: (event: SyntheticEvent) => void; noValidate: true }
}

/** An invalid field, or the first choice of an invalid group. */
const INVALID = '[aria-invalid=true], [data-invalid=true] input'

const only = (problems: Problems): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([, text]) => text !== undefined))

/**
 * The common behaviour of forms: values, errors of our own check and of the server. The first invalid field gets the
 * focus.
 */
export function useForm<Values extends object>(options: FormOptions<Values>): Form<Values> {
  const { start, check, send, error, refused } = options
  const ref = useRef<HTMLFormElement>(null)
  const own = useState(start)
  const [values, setValues] = options.state ?? own
  const [submits, setSubmits] = useState(0)
  const [dismissed, setDismissed] = useState<unknown>(null)
  const fresh = error === dismissed ? null : (error ?? null)
  const found = only(check?.(values) ?? {})
  const serverProblems = only((fresh !== null && refused?.(fresh)) || {})
  const problems = submits > 0 ? { ...serverProblems, ...found } : serverProblems
  const isValid = Object.keys(found).length === 0

  useEffect(() => {
    if (submits > 0) ref.current?.querySelector<HTMLElement>(INVALID)?.focus()
  }, [submits])
  useEffect(() => {
    if (fresh !== null) ref.current?.querySelector<HTMLElement>(INVALID)?.focus()
  }, [fresh])

  const set = (change: Partial<Values>) => {
    setValues((before) => ({ ...before, ...change }))
    setDismissed(error ?? null)
  }
  return {
    values,
    set,
    reset: (next = start) => {
      setValues(() => next)
      setSubmits(0)
      setDismissed(error ?? null)
    },
    field: (name) => ({
      value: values[name] as string,
      error: problems[name],
      onChange: (event) => set({ [name]: event.target.value } as Partial<Values>),
    }),
    problems,
    refusal: Object.keys(serverProblems).length === 0 ? fresh : null,
    form: {
      ref,
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault()
        setSubmits(isValid ? 0 : submits + 1)
        if (isValid) send(values)
      },
    },
  }
}
