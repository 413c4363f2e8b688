import { type ChangeEvent, type RefObject, type SyntheticEvent, useEffect, useRef, useState } from 'react'

/** What is wrong in a form, in words for people, by the name of the field. */
export type Problems = { [field: string]: string | undefined }

type FormOptions<Values> = {
  start: Values
  /** What is wrong with the values. Said from the first try to send them on, until it is right. */
  check?: (values: Values) => Problems
  /** Sends what was found right. */
  send: (values: Values) => void
  /** The last refusal of the server. It is over once something is changed. */
  error?: unknown
  /** What of a refusal belongs to fields. */
  refused?: (error: unknown) => Problems
}

type TextName<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values] & string
type TextEvent = ChangeEvent<HTMLInputElement | HTMLTextAreaElement>

export type Form<Values> = {
  values: Values
  set: (change: Partial<Values>) => void
  /** Begins anew, from the first values where no others are named. */
  reset: (next?: Values) => void
  /** What a field of text is given. */
  field: (name: TextName<Values>) => { value: string; error: string | undefined; onChange: (event: TextEvent) => void }
  problems: Problems
  /** A refusal that belongs to no field. */
  refusal: unknown
  /** For the `form` element. */
  form: { ref: RefObject<HTMLFormElement | null>; onSubmit: (event: SyntheticEvent) => void; noValidate: true }
}

/** A field that is wrong, or the first choice of a group that is. */
const WRONG = '[aria-invalid=true], [data-invalid=true] input'

const only = (problems: Problems): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([, words]) => words !== undefined))

/**
 * What every form does alike: values, what is wrong with them by our own check and by the server's, and the first field
 * that is wrong gets the focus.
 */
export function useForm<Values extends object>(options: FormOptions<Values>): Form<Values> {
  const { start, check, send, error, refused } = options
  const ref = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(start)
  const [tries, setTries] = useState(0)
  const [overtaken, setOvertaken] = useState<unknown>(null)
  const fresh = error === overtaken ? null : (error ?? null)
  const found = only(check?.(values) ?? {})
  const told = only((fresh !== null && refused?.(fresh)) || {})
  const problems = tries > 0 ? { ...told, ...found } : told
  const isRight = Object.keys(found).length === 0

  useEffect(() => {
    if (tries > 0) ref.current?.querySelector<HTMLElement>(WRONG)?.focus()
  }, [tries])
  useEffect(() => {
    if (fresh !== null) ref.current?.querySelector<HTMLElement>(WRONG)?.focus()
  }, [fresh])

  const set = (change: Partial<Values>) => {
    setValues((before) => ({ ...before, ...change }))
    setOvertaken(error ?? null)
  }
  return {
    values,
    set,
    reset: (next = start) => {
      setValues(next)
      setTries(0)
      setOvertaken(error ?? null)
    },
    field: (name) => ({
      value: values[name] as string,
      error: problems[name],
      onChange: (event) => set({ [name]: event.target.value } as Partial<Values>),
    }),
    problems,
    refusal: Object.keys(told).length === 0 ? fresh : null,
    form: {
      ref,
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault()
        setTries(isRight ? 0 : tries + 1)
        if (isRight) send(values)
      },
    },
  }
}
