/**
 * One live stream per tab: a browser allows six connections to a host across its tabs, and the server limits streams
 * per account. A stream for something the user watches has priority; one that only refreshes a number closes and
 * reopens afterwards.
 */
type BackgroundStream = { open: () => void; close: () => void }

let watched = 0
const background = new Set<BackgroundStream>()

/** Takes the stream for something the user watches. The returned function releases it. */
export function acquireStream(): () => void {
  watched += 1
  if (watched === 1) for (const one of background) one.close()
  let released = false
  return () => {
    if (released) return
    released = true
    watched -= 1
    if (watched === 0) for (const one of background) one.open()
  }
}

/** Uses the stream while no watched stream has it. `close` is called before one takes it. */
export function shareBackgroundStream(open: () => void, close: () => void): () => void {
  const one = { open, close }
  background.add(one)
  if (watched === 0) open()
  return () => {
    background.delete(one)
    close()
  }
}
