import { isApiError } from '@/shared/api/errors'
import type { JobOutput, JobStatus, OutputFile, SimpleAppAddress } from '@/shared/api/types'
import type { FormField, FormValues, ReadForm } from '@/shared/ui/schema-form/read-form'
import { SIMPLE_APPS } from './api'
import type { KnownImage } from './draft'

/** How many pictures may wait or run at once. */
export const MAX_PICTURES = 20
/** Older finished runs leave the page; they stay in the user's jobs. */
const MAX_ENDED = 40

/** A picture that was added to the page. */
export type AddedPicture = {
  key: string
  name: string
  /** Null until it is uploaded. */
  image: KnownImage | null
  /** How much of it is uploaded, from 0 to 1; null before the upload starts. */
  share: number | null
  /** Why the upload failed. */
  problem: unknown
}

/** One run of the app. */
export type SimpleRun = {
  /** Also the idempotency key, so that a repeated request starts no second job. */
  key: string
  /** Keys of pictures, in the order of the app's picture fields. */
  pictures: string[]
  /** The options at the time when Run was pressed; null before. */
  values: FormValues | null
  job: string | null
  /** Why the server refused to start it. */
  refusal: unknown
  ended: { status: JobStatus; outputs: JobOutput[] } | null
}

export type RunsState = {
  pictures: Record<string, AddedPicture>
  runs: SimpleRun[]
  /** The chosen pictures of an app that takes several, by picture field. */
  slots: (string | null)[]
}

export type RunPhase =
  | 'added'
  | 'uploading'
  | 'requesting'
  | 'generating'
  | 'complete'
  | 'canceled'
  | 'uploadFailed'
  | 'refused'
  | 'failed'

export type RunsAction =
  | { type: 'added'; pictures: AddedPicture[]; runs: SimpleRun[] }
  | { type: 'slotted'; slot: number; picture: AddedPicture | null }
  | { type: 'progressed'; picture: string; share: number }
  | { type: 'uploaded'; picture: string; image: KnownImage }
  | { type: 'uploadFailed'; picture: string; problem: unknown }
  | { type: 'lost'; pictures: string[] }
  | { type: 'pressed'; values: FormValues; runs: SimpleRun[] }
  | { type: 'accepted'; run: string; job: string }
  | { type: 'refused'; run: string; refusal: unknown }
  | { type: 'creditsRanOut' }
  | { type: 'ended'; run: string; status: JobStatus; outputs: JobOutput[] }
  | { type: 'retried'; run: string; key: string }
  | { type: 'removed'; runs: string[] }
  | { type: 'restored'; stored: RunsState }

export const EMPTY: RunsState = { pictures: {}, runs: [], slots: [] }

export const addedPicture = (key: string, name: string, image: KnownImage | null = null): AddedPicture => ({
  key,
  name,
  image,
  share: null,
  problem: null,
})

export const addedRun = (key: string, pictures: string[]): SimpleRun => ({
  key,
  pictures,
  values: null,
  job: null,
  refusal: null,
  ended: null,
})

export function reduceRuns(state: RunsState, action: RunsAction): RunsState {
  switch (action.type) {
    case 'added':
      return withoutUnused({
        ...state,
        pictures: { ...state.pictures, ...Object.fromEntries(action.pictures.map((one) => [one.key, one])) },
        runs: latest([...state.runs, ...action.runs]),
      })
    case 'slotted': {
      const slots = [...state.slots]
      slots[action.slot] = action.picture?.key ?? null
      const pictures = action.picture
        ? { ...state.pictures, [action.picture.key]: action.picture }
        : { ...state.pictures }
      return withoutUnused({ ...state, pictures, slots: Array.from(slots, (slot) => slot ?? null) })
    }
    case 'progressed':
      return changePicture(state, action.picture, { share: action.share })
    case 'uploaded':
      return changePicture(state, action.picture, { image: action.image, share: 1, problem: null })
    case 'uploadFailed':
      return changePicture(state, action.picture, { share: null, problem: action.problem })
    case 'lost':
      return withoutUnused({
        ...state,
        runs: state.runs.filter((run) => !run.pictures.some((key) => action.pictures.includes(key))),
        slots: state.slots.map((key) => (key !== null && action.pictures.includes(key) ? null : key)),
      })
    case 'pressed': {
      const pressed = new Set(action.runs.map(({ key }) => key))
      const known = new Set(state.runs.map(({ key }) => key))
      const runs = state.runs.map((run) => (pressed.has(run.key) ? { ...run, values: action.values } : run))
      const fresh = action.runs.filter(({ key }) => !known.has(key)).map((run) => ({ ...run, values: action.values }))
      return withoutUnused({ ...state, runs: latest([...runs, ...fresh]) })
    }
    case 'accepted':
      return changeRun(state, action.run, { job: action.job })
    case 'refused':
      return changeRun(state, action.run, { refusal: action.refusal })
    case 'creditsRanOut':
      // A refused run keeps its options: it is tried again by its own button.
      return {
        ...state,
        runs: state.runs.map((run) => (run.job === null && !run.refusal ? { ...run, values: null } : run)),
      }
    case 'ended':
      return changeRun(state, action.run, { ended: { status: action.status, outputs: action.outputs } })
    case 'retried': {
      const run = state.runs.find(({ key }) => key === action.run)
      const failed = run?.pictures.filter((key) => state.pictures[key]?.problem) ?? []
      const next = failed.reduce((now, key) => changePicture(now, key, { problem: null, share: null }), state)
      return changeRun(next, action.run, { key: action.key, job: null, refusal: null, ended: null })
    }
    case 'restored': {
      // A stored file that was found before has got a run of its own.
      const taken = new Set(action.stored.runs.flatMap(({ pictures }) => pictures))
      const others = state.runs.filter((run) => run.values !== null || !run.pictures.every((key) => taken.has(key)))
      return withoutUnused({
        pictures: { ...action.stored.pictures, ...state.pictures },
        runs: latest([...action.stored.runs, ...others]),
        slots: action.stored.slots
          .concat(state.slots.slice(action.stored.slots.length))
          .map((stored, at) => state.slots[at] ?? stored),
      })
    }
    case 'removed':
      return withoutUnused({ ...state, runs: state.runs.filter(({ key }) => !action.runs.includes(key)) })
  }
}

const changePicture = (state: RunsState, key: string, change: Partial<AddedPicture>): RunsState => {
  const picture = state.pictures[key]
  return picture ? { ...state, pictures: { ...state.pictures, [key]: { ...picture, ...change } } } : state
}

const changeRun = (state: RunsState, key: string, change: Partial<SimpleRun>): RunsState => ({
  ...state,
  runs: state.runs.map((run) => (run.key === key ? { ...run, ...change } : run)),
})

/** Drops the oldest ended runs beyond the limit. */
function latest(runs: SimpleRun[]): SimpleRun[] {
  let surplus = runs.filter(({ ended }) => ended).length - MAX_ENDED
  return runs.filter(({ ended }) => !ended || surplus-- <= 0)
}

/** Drops pictures that neither a run nor a slot uses. */
function withoutUnused(state: RunsState): RunsState {
  const used = new Set([...state.runs.flatMap(({ pictures }) => pictures), ...state.slots])
  return { ...state, pictures: Object.fromEntries(Object.entries(state.pictures).filter(([key]) => used.has(key))) }
}

export const picturesOf = (state: RunsState, run: SimpleRun): AddedPicture[] =>
  run.pictures.flatMap((key) => state.pictures[key] ?? [])

export function phaseOf(state: RunsState, run: SimpleRun): RunPhase {
  if (run.ended) {
    const { status } = run.ended.status
    return status === 'Done' ? 'complete' : status === 'Canceled' ? 'canceled' : 'failed'
  }
  if (run.job) return 'generating'
  if (run.refusal) return 'refused'
  const pictures = picturesOf(state, run)
  if (pictures.some(({ problem }) => problem)) return 'uploadFailed'
  if (pictures.some(({ image, share }) => !image && share !== null)) return 'uploading'
  if (run.values === null) return 'added'
  return pictures.every(({ image }) => image) ? 'requesting' : 'uploading'
}

/** Runs that count against the limit: those that wait or run. */
export const openRuns = (state: RunsState): SimpleRun[] => state.runs.filter(({ ended }) => !ended)

/** Runs that the next press of Run starts. */
export const pendingRuns = (state: RunsState): SimpleRun[] =>
  state.runs.filter(
    (run) => run.values === null && !run.refusal && !picturesOf(state, run).some(({ problem }) => problem),
  )

/** Runs that can be requested now. */
export const requestable = (state: RunsState): SimpleRun[] =>
  state.runs.filter((run) => !run.refusal && run.values !== null && phaseOf(state, run) === 'requesting')

/** Whether the same file would be refused again. */
export const isRefusedFile = (problem: unknown): boolean =>
  isApiError(problem) && [400, 413, 415, 422].includes(problem.status)

/** Runs that failed, in any phase. */
export const failedRuns = (state: RunsState): SimpleRun[] =>
  state.runs.filter((run) => ['uploadFailed', 'refused', 'failed'].includes(phaseOf(state, run)))

/** The failed runs that can be tried again together: within the limit, and without files that the server refuses. */
export function retriableRuns(state: RunsState): SimpleRun[] {
  let room = MAX_PICTURES - openRuns(state).length
  return failedRuns(state).filter((run) => {
    if (picturesOf(state, run).some(({ problem }) => isRefusedFile(problem))) return false
    return !run.ended || room-- > 0
  })
}

/** Whether the server does not know yet of a run that Run was pressed for: leaving the page would lose it. */
export const isSending = (state: RunsState): boolean =>
  state.runs.some((run) => run.values !== null && ['uploading', 'requesting'].includes(phaseOf(state, run)))

/**
 * What a reload brings back: everything that the server has, and runs that Run was pressed for, whose files the browser
 * stores until they are uploaded.
 */
export function storable({ pictures, runs, slots }: RunsState): RunsState {
  const uploaded = (key: string | null) => key !== null && Boolean(pictures[key]?.image)
  const isWaiting = ({ image, problem }: AddedPicture) => !image && !problem
  return withoutUnused({
    pictures: Object.fromEntries(
      Object.entries(pictures).map(([key, one]) => [key, isWaiting(one) ? { ...one, share: null } : one]),
    ),
    runs: runs
      .filter((run) =>
        run.pictures.every((key) => {
          const picture = pictures[key]
          return uploaded(key) || (run.values !== null && picture !== undefined && isWaiting(picture))
        }),
      )
      .map((run) => ({
        ...run,
        refusal: null,
        values: run.refusal && !isApiError(run.refusal, 0) ? null : run.values,
        ended: null,
      })),
    slots: slots.map((key) => (uploaded(key) ? key : null)),
  })
}

/** The pictures and texts that a run has made. */
export function resultsOf(run: SimpleRun): { files: OutputFile[]; texts: string[] } {
  const outputs = run.ended?.outputs ?? []
  return {
    files: outputs.flatMap(({ outputs: made }) => made.images ?? []).filter(({ hasPreview }) => hasPreview !== false),
    texts: outputs.flatMap(({ outputs: made }) => made.text ?? []).filter((text) => text.trim() !== ''),
  }
}

/** How many pictures a run of each app takes. */
const TAKES: Record<SimpleAppAddress, number> = { 'background-remover': 1, 'face-swap': 2, 'image-to-prompt': 1 }

export const takesTwo = (address: SimpleAppAddress): boolean => TAKES[address] === 2

const FACE = /face|source|얼굴/i

/** The form, divided into the fields for the page's pictures and the rest. Null if the app takes too few pictures. */
export function divideForm(
  address: SimpleAppAddress,
  form: ReadForm,
): { pictures: FormField[]; rest: ReadForm } | null {
  const images = form.fields.filter(({ widget }) => widget === 'image')
  if (images.length < TAKES[address]) return null
  const face = takesTwo(address)
    ? (images.find(({ name, title }) => FACE.test(name) || FACE.test(title)) ?? images[1])
    : undefined
  const first = images.find((field) => field !== face)
  const pictures = [first, face].filter((field): field is FormField => field !== undefined)
  return { pictures, rest: { fields: form.fields.filter((field) => !pictures.includes(field)) } }
}

/** The simple app at a path. */
export const addressOf = (pathname: string): SimpleAppAddress =>
  SIMPLE_APPS.find((address) => pathname.endsWith(`/${address}`)) ?? SIMPLE_APPS[0]

const MODEL_FILE = /\.(safetensors|sft|ckpt|pt|pth|bin|onnx|gguf)$/i

/** A missing node class or model in the words of a request to the operators. */
export function requirementOf(name: string) {
  const isModel = MODEL_FILE.test(name)
  const slash = isModel ? name.indexOf('/') : -1
  return {
    kind: isModel ? ('Model' as const) : ('NodeClass' as const),
    folder: slash > 0 ? name.slice(0, slash) : null,
    name: name.slice(slash + 1),
  }
}
