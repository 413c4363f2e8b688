import { isApiError } from '@/shared/api/errors'

export type Notice = {
  tone: 'success' | 'error' | 'info'
  title: string
  description?: string | undefined
  /** The request that failed, for support; the notice lets people copy it. */
  requestId?: string | undefined
  /** How long it stays; ten seconds where it is left out. */
  seconds?: number
}

type Show = (notice: Notice) => void

let show: Show | null = null
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

const requestOf = (cause: unknown) => (isApiError(cause) ? cause.requestId : undefined)

const toast = {
  success: (title: string, description?: string) => tell({ tone: 'success', title, description }),
  /** A success that stays for two seconds. */
  brief: (title: string) => tell({ tone: 'success', title, seconds: 2 }),
  /** `cause` is the error behind it: where it names a request, the notice shows that name to copy. */
  error: (title: string, cause?: unknown) => tell({ tone: 'error', title, requestId: requestOf(cause) }),
  info: (title: string, description?: string) => tell({ tone: 'info', title, description }),
}

/** Notices at the top of the page. They wait until the code that draws them has been loaded. */
export const useToast = () => toast

/** Called once by the component that draws notices; it gets those that have waited. */
export function attachToasts(draw: Show): () => void {
  show = draw
  for (const notice of waiting.splice(0)) draw(notice)
  return () => {
    show = null
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
