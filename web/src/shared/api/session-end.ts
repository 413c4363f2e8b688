const listeners = new Set<() => void>()

/** Calls `listener` when any response says that the session has ended. */
export function onSessionEnd(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/**
 * Checks a refusal for the end of the session. Every request path calls this. A wrong password does not end a session.
 */
export function checkSessionEnd(status: number, code: string | undefined): void {
  if (status !== 401 || code === 'AUTH_WRONG_CREDENTIALS') return
  for (const listener of listeners) listener()
}
