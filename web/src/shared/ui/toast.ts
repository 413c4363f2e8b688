export type Notice = {
  tone: 'success' | 'error' | 'info'
  title: string
  description?: string | undefined
  /** The error behind it: the notice says why, or lets people copy the name of the request for support. */
  cause?: unknown
  /** How long it stays; ten seconds where it is left out. */
  seconds?: number
  /** What it is about: a later notice of the same takes its place, and `toast.drop` takes it away. */
  about?: string | undefined
}

type Show = (notice: Notice) => void
type Drop = (about: string) => void

let show: Show | null = null
let take: Drop | null = null
let wake: (() => void) | null = null
const waiting: Notice[] = []

function tell(notice: Notice): void {
  if (show) {
    show(notice)
  } else {
    waiting.push(notice)
    wake?.()
  }
}

export const toast = {
  success: (title: string, description?: string) => tell({ tone: 'success', title, description }),
  /** A success that stays for two seconds. */
  brief: (title: string) => tell({ tone: 'success', title, seconds: 2 }),
  /** `cause` is the error behind it: its reason stands below words that only say that something failed. */
  error: (title: string, cause?: unknown, about?: string) => tell({ tone: 'error', title, cause, about }),
  /** Takes a notice away: what it says is over. */
  drop: (about: string) => {
    const kept = waiting.filter((notice) => notice.about !== about)
    waiting.splice(0, waiting.length, ...kept)
    take?.(about)
  },
  info: (title: string, description?: string) => tell({ tone: 'info', title, description }),
}

/** Notices at the top of the page. They wait until the code that draws them has been loaded. */
export const useToast = () => toast

/** Called once by the component that draws notices; it gets those that have waited. */
export function attachToasts(draw: Show, drop?: Drop): () => void {
  show = draw
  take = drop ?? null
  for (const notice of waiting.splice(0)) draw(notice)
  return () => {
    show = null
    take = null
  }
}

/** Called when a notice comes before anyone can draw it. */
export function onFirstToast(load: () => void): () => void {
  wake = load
  if (waiting.length > 0) load()
  return () => {
    wake = null
  }
}
