/**
 * One live stream for a tab: a browser has six connections to a host for all its tabs, and an account has a limit. What
 * somebody waits for right now has it; what only keeps a number fresh gives way, and comes back afterwards.
 */
type Waiting = { open: () => void; close: () => void }

let urgent = 0
const patient = new Set<Waiting>()

/** Takes the stream for something that is watched. The function that comes back gives it away again. */
export function takeStream(): () => void {
  urgent += 1
  if (urgent === 1) for (const one of patient) one.close()
  let given = false
  return () => {
    if (given) return
    given = true
    urgent -= 1
    if (urgent === 0) for (const one of patient) one.open()
  }
}

/** Has the stream whenever nothing urgent has. `close` is called before anything else takes it. */
export function shareStream(open: () => void, close: () => void): () => void {
  const one = { open, close }
  patient.add(one)
  if (urgent === 0) open()
  return () => {
    patient.delete(one)
    close()
  }
}
