import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { isApiError } from '@/shared/api/errors'
import { keys } from '@/shared/api/keys'
import type { Asset, SimpleAppAddress, User } from '@/shared/api/types'
import { fileStorage } from '@/shared/lib/file-storage'
import { randomId } from '@/shared/lib/random-id'
import { session } from '@/shared/lib/storage'
import { useUnloadQuestion } from '@/shared/lib/use-unload-question'
import type { FormField, FormValues } from '@/shared/ui/schema-form/read-form'
import { useRun, useUpload } from './api'
import { RUNS_STORAGE } from './draft'
import {
  type AddedPicture,
  addedPicture,
  addedRun,
  EMPTY,
  isSending,
  MAX_PICTURES,
  openRuns,
  pendingRuns,
  picturesOf,
  type RunsState,
  reduceRuns,
  requestable,
  type SimpleRun,
  storable,
} from './simple-app-runs'

const UPLOADS_AT_ONCE = 2
const REQUESTS_AT_ONCE = 3
/** A request that a busy server refuses is repeated this often, after the time that it names. */
const BUSY_RETRIES = 4
const LONGEST_PAUSE_S = 20

type StoredRuns = { user: string; state: RunsState }

function restore(address: SimpleAppAddress, user: User | null): RunsState {
  const stored = session.getJson<StoredRuns>(RUNS_STORAGE + address)
  return user && stored?.user === user._id ? { ...EMPTY, ...stored.state } : EMPTY
}

type RunsOptions = {
  address: SimpleAppAddress
  /** The id of the mini app. */
  app: string
  /** The form fields that take the pictures. */
  fields: FormField[]
  user: User | null
}

/**
 * The pictures of a simple app's page and their runs: uploads what is added, requests what Run was pressed for, and
 * finds both again after a reload. Files of guests wait until they have signed in.
 */
export function useSimpleAppRuns({ address, app, fields, user }: RunsOptions) {
  const [state, dispatch] = useReducer(reduceRuns, null, () => restore(address, user))
  const [outOfCredits, setOutOfCredits] = useState(false)
  const isOneEach = fields.length === 1
  // Files of an app that takes several are stored by field.
  const places = useMemo(
    () => fields.map((_, at) => (isOneEach ? address : `${address}.${at}`)),
    [address, fields, isOneEach],
  )
  const files = useFiles(places, state, (stored, at) => {
    // The server has a file whose upload ended just before the reload.
    const pictures = stored.filter(({ key }) => !state.pictures[key]?.image)
    // A run that was pressed before the reload goes on with its file.
    const fresh = pictures.filter(({ key }) => !state.runs.some((run) => run.pictures.includes(key)))
    if (isOneEach) dispatch({ type: 'added', pictures, runs: fresh.map(({ key }) => addedRun(randomId(), [key])) })
    else for (const picture of pictures) dispatch({ type: 'slotted', slot: at, picture })
  })
  useLost(state, files, dispatch)
  useRestored(address, user, dispatch)
  useKept(address, user, state)
  useUploads(user, state, files.of, dispatch)
  useRequests({ app, fields, user, state, dispatch, onOutOfCredits: () => setOutOfCredits(true) })
  useUnloadQuestion(user !== null && isSending(state))

  /** Adds the files as pictures with one run each. Returns how many were beyond the limit. */
  const add = (chosen: File[]): number => {
    const room = Math.max(0, MAX_PICTURES - openRuns(state).length)
    const pictures = chosen.slice(0, room).map((file) => files.keep(file, address))
    dispatch({ type: 'added', pictures, runs: pictures.map(({ key }) => addedRun(randomId(), [key])) })
    return chosen.length - pictures.length
  }
  /** Adds a picture that was uploaded earlier. */
  const addUploaded = (asset: Asset): boolean => {
    if (openRuns(state).length >= MAX_PICTURES) return false
    const picture = uploadedPicture(asset)
    dispatch({ type: 'added', pictures: [picture], runs: [addedRun(randomId(), [picture.key])] })
    return true
  }
  const setSlot = (slot: number, chosen: File | Asset | null) => {
    const picture =
      chosen === null
        ? null
        : chosen instanceof File
          ? files.keep(chosen, `${address}.${slot}`)
          : uploadedPicture(chosen)
    dispatch({ type: 'slotted', slot, picture })
  }
  /** Starts everything that was added, or one run with the pictures of the slots. */
  const start = (values: FormValues) => {
    setOutOfCredits(false)
    const chosen = state.slots.filter((key): key is string => key !== null)
    const runs = isOneEach ? pendingRuns(state) : [addedRun(randomId(), chosen)]
    dispatch({ type: 'pressed', values, runs })
  }
  /** A request whose answer was lost is repeated with its key, because the server may have started the job. */
  const retry = useCallback(
    ({ key, refusal }: SimpleRun) =>
      dispatch({ type: 'retried', run: key, key: isApiError(refusal, 0) ? key : randomId() }),
    [],
  )
  const remove = useCallback((runs: string[]) => dispatch({ type: 'removed', runs }), [])
  const end = useCallback(
    (run: string, { status, outputs }: NonNullable<SimpleRun['ended']>) =>
      dispatch({ type: 'ended', run, status, outputs }),
    [],
  )
  const laterCredits = () => setOutOfCredits(false)
  return {
    state,
    previewOf: files.previewOf,
    outOfCredits,
    laterCredits,
    add,
    addUploaded,
    setSlot,
    start,
    retry,
    remove,
    end,
  }
}

const uploadedPicture = ({ _id, name, url, thumbnailUrl }: Asset): AddedPicture =>
  addedPicture(randomId(), name, { id: _id, name, url, thumbnailUrl })

type HeldFile = {
  file: File
  url: string
  isStored: boolean
  /** Whether the state has had its picture. An effect of the state before would take a file just added for a removed one. */
  isKnown: boolean
}

/** The files of pictures that are not uploaded yet, with a preview of each. `onFound` gets those of the last visit. */
function useFiles(places: string[], state: RunsState, onFound: (pictures: AddedPicture[], place: number) => void) {
  const files = useRef(new Map<string, HeldFile>())
  const [isRead, setIsRead] = useState(false)
  const found = useRef(onFound)
  found.current = onFound
  const hold = useCallback((key: string, file: File): AddedPicture => {
    files.current.set(key, { file, url: URL.createObjectURL(file), isStored: true, isKnown: false })
    return addedPicture(key, file.name)
  }, [])
  useEffect(() => {
    let isGone = false
    const reads = places.map(async (place, at) => {
      const stored = await fileStorage.read(place)
      const fresh = stored.filter(({ key }) => !files.current.has(key)).slice(0, MAX_PICTURES)
      if (isGone || fresh.length === 0) return
      const pictures = fresh.map(({ key, file }) => hold(key, file))
      found.current(pictures, at)
    })
    void Promise.all(reads).then(() => {
      if (!isGone) setIsRead(true)
    })
    return () => {
      isGone = true
    }
  }, [places, hold])
  // The file of an uploaded or removed picture is not needed again. Its preview stays while the picture is shown.
  useEffect(() => {
    for (const [key, held] of files.current) {
      const picture = state.pictures[key]
      held.isKnown ||= picture !== undefined
      if (!held.isKnown) continue
      if (held.isStored && (!picture || picture.image)) {
        held.isStored = false
        void fileStorage.remove(key)
      }
      if (picture) continue
      URL.revokeObjectURL(held.url)
      files.current.delete(key)
    }
  }, [state.pictures])
  useEffect(() => {
    const held = files.current
    return () => {
      for (const { url } of held.values()) URL.revokeObjectURL(url)
    }
  }, [])
  const keep = (file: File, place: string): AddedPicture => {
    const key = randomId()
    void fileStorage.add(place, key, file)
    return hold(key, file)
  }
  const of = useCallback((key: string) => files.current.get(key)?.file, [])
  const previewOf = useCallback(({ key, image }: AddedPicture) => files.current.get(key)?.url ?? image?.url ?? null, [])
  return { keep, of, previewOf, isRead }
}

/** Drops runs that a reload brought back without their files: private windows store none. */
function useLost(
  state: RunsState,
  { of, isRead }: Pick<ReturnType<typeof useFiles>, 'of' | 'isRead'>,
  dispatch: Dispatch,
) {
  useEffect(() => {
    if (!isRead) return
    const lost = Object.values(state.pictures).filter(({ key, image }) => !image && !of(key))
    if (lost.length > 0) dispatch({ type: 'lost', pictures: lost.map(({ key }) => key) })
  }, [state.pictures, of, isRead, dispatch])
}

/** Brings back the runs of a user who signs in on this page, for example after the session has ended. */
function useRestored(address: SimpleAppAddress, user: User | null, dispatch: Dispatch): void {
  const restored = useRef(user?._id)
  useEffect(() => {
    if (!user || restored.current === user._id) return
    restored.current = user._id
    dispatch({ type: 'restored', stored: restore(address, user) })
  }, [address, user, dispatch])
}

/** Stores what the server has of the state, for a reload. */
function useKept(address: SimpleAppAddress, user: User | null, state: RunsState): void {
  const last = useRef('')
  useEffect(() => {
    if (!user) return
    const text = JSON.stringify({ user: user._id, state: storable(state) } satisfies StoredRuns)
    if (text !== last.current) session.set(RUNS_STORAGE + address, text)
    last.current = text
  }, [address, user, state])
}

type Dispatch = (action: Parameters<typeof reduceRuns>[1]) => void

type Upload = { controller: AbortController; isDone: boolean }

/** Uploads added files, two at a time. A done one is known until the state tells how it ended: none is sent twice. */
function useUploads(
  user: User | null,
  state: RunsState,
  fileOf: (key: string) => File | undefined,
  dispatch: Dispatch,
): void {
  const { mutateAsync } = useUpload()
  const sending = useRef(new Map<string, Upload>())
  useEffect(() => {
    for (const [key, { controller, isDone }] of sending.current) {
      const picture = state.pictures[key]
      if (!picture) controller.abort()
      if (!picture || (isDone && (picture.image || picture.problem))) sending.current.delete(key)
    }
    if (!user) return
    const active = [...sending.current.values()].filter(({ isDone }) => !isDone).length
    const waiting = Object.values(state.pictures).filter(
      ({ key, image, problem }) => !image && !problem && !sending.current.has(key) && fileOf(key),
    )
    for (const { key } of waiting.slice(0, Math.max(0, UPLOADS_AT_ONCE - active))) {
      const file = fileOf(key)
      if (!file) continue
      const controller = new AbortController()
      const upload = { controller, isDone: false }
      sending.current.set(key, upload)
      dispatch({ type: 'progressed', picture: key, share: 0 })
      const onProgress = (share: number) => dispatch({ type: 'progressed', picture: key, share })
      mutateAsync({ kind: 'image', file, onProgress, signal: controller.signal })
        .then(
          ({ _id: id, name, url, thumbnailUrl }) => ({
            type: 'uploaded' as const,
            picture: key,
            image: { id, name, url, thumbnailUrl },
          }),
          (problem: unknown) => ({ type: 'uploadFailed' as const, picture: key, problem }),
        )
        .then((action) => {
          upload.isDone = true
          if (!controller.signal.aborted) dispatch(action)
        })
        .catch(() => undefined)
    }
  }, [user, state.pictures, fileOf, dispatch, mutateAsync])
  useEffect(() => {
    const open = sending.current
    return () => {
      for (const { controller } of open.values()) controller.abort()
      open.clear()
    }
  }, [])
}

type RequestsOptions = Omit<RunsOptions, 'address'> & {
  state: RunsState
  dispatch: Dispatch
  onOutOfCredits: () => void
}

/** Requests the runs that Run was pressed for, as soon as their pictures are uploaded. */
function useRequests({ app, fields, user, state, dispatch, onOutOfCredits }: RequestsOptions): void {
  const { mutateAsync } = useRun()
  const client = useQueryClient()
  const requested = useRef(new Set<string>())
  const latest = useRef({ fields, onOutOfCredits })
  latest.current = { fields, onOutOfCredits }
  useEffect(() => {
    if (!user) return
    const waiting = requestable(state).filter(({ key }) => !requested.current.has(key))
    for (const run of waiting.slice(0, Math.max(0, REQUESTS_AT_ONCE - requested.current.size))) {
      requested.current.add(run.key)
      const ids = picturesOf(state, run).map(({ image }) => image?.id)
      const chosen = latest.current.fields.map(({ name }, at) => [name, ids[at]] as const)
      const values = { ...run.values, ...Object.fromEntries(chosen) }
      patiently(() => mutateAsync({ app, values, key: run.key, isOneOfMany: true }))
        .then(
          ({ _id }) => ({ type: 'accepted' as const, run: run.key, job: _id }),
          (refusal: unknown) => {
            if (isApiError(refusal, 402)) {
              latest.current.onOutOfCredits()
              return { type: 'creditsRanOut' as const }
            }
            // The app or its workers may be gone since the page was opened: then the page says so.
            if (!isApiError(refusal, 0)) void client.invalidateQueries({ queryKey: keys.miniApps.simple })
            return { type: 'refused' as const, run: run.key, refusal }
          },
        )
        .then((action) => {
          requested.current.delete(run.key)
          dispatch(action)
        })
        .catch(() => undefined)
    }
  }, [app, user, state, dispatch, mutateAsync, client])
}

/** Repeats a request while the server is busy. */
async function patiently<Result>(send: () => Promise<Result>): Promise<Result> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await send()
    } catch (error) {
      const isBusy = isApiError(error, 429) || isApiError(error, 503)
      const pause = isBusy ? error.retryAfterSeconds : undefined
      if (pause === undefined || pause > LONGEST_PAUSE_S || retries >= BUSY_RETRIES) throw error
      await new Promise((next) => setTimeout(next, pause * 1000))
    }
  }
}
