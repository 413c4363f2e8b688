import { useSyncExternalStore } from 'react'

export type Toast = {
  tone: 'success' | 'error' | 'info'
  title: string
  description?: string | undefined
  /** The error behind the toast. The toast shows its reason, or the request id for support. */
  cause?: unknown
  /** How long the toast stays; ten seconds by default. */
  seconds?: number
  /** The subject. A later toast with the same subject replaces this one, and `toast.drop` removes it. */
  about?: string | undefined
}

let toasts: (Toast & { id: number })[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: typeof toasts): void {
  toasts = next
  for (const listener of listeners) listener()
}

function show(toast: Toast): void {
  lastId += 1
  const others = toasts.filter(({ about }) => about === undefined || about !== toast.about)
  change([...others, { ...toast, id: lastId }])
}

export const toast = {
  success: (title: string, description?: string) => show({ tone: 'success', title, description }),
  /** A success message that stays for two seconds. */
  brief: (title: string) => show({ tone: 'success', title, seconds: 2 }),
  /** Shows the reason of `cause` below a title that only says that something failed. */
  error: (title: string, cause?: unknown, about?: string) => show({ tone: 'error', title, cause, about }),
  drop: (about: string) => change(toasts.filter((one) => one.about !== about)),
  info: (title: string, description?: string) => show({ tone: 'info', title, description }),
}

export const closeToast = (id: number) => change(toasts.filter((one) => one.id !== id))
export const closeToasts = () => change([])

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useToasts = () => useSyncExternalStore(subscribe, () => toasts)
