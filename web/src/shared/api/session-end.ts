const listeners = new Set<() => void>()

/** Called when an answer says that nobody is signed in any more, whoever asked and by whatever way. */
export function onSessionEnd(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Looks at a refusal of the server: every way to ask it goes by here. A wrong password is no end of a session. */
export function hearRefusal(status: number, code: string | undefined): void {
  if (status !== 401 || code === 'AUTH_WRONG_CREDENTIALS') return
  for (const listener of listeners) listener()
}
