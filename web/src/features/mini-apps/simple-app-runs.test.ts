import { describe, expect, it } from 'vitest'
import { ApiError } from '@/shared/api/errors'
import { jobStatus } from '@/shared/testing/factories'
import type { FormField } from '@/shared/ui/schema-form/read-form'
import {
  type AddedPicture,
  addedPicture,
  addedRun,
  divideForm,
  EMPTY,
  isSending,
  MAX_PICTURES,
  pendingRuns,
  phaseOf,
  type RunsState,
  reduceRuns,
  requestable,
  requirementOf,
  retriableRuns,
  type SimpleRun,
  storable,
} from './simple-app-runs'

const image = { id: 'a-1', name: 'boat.png', url: '/media/raw/a.png', thumbnailUrl: null }

function stateOf(picture: Partial<AddedPicture> = {}, run: Partial<SimpleRun> = {}): RunsState {
  return {
    ...EMPTY,
    pictures: { p: { ...addedPicture('p', 'boat.png'), ...picture } },
    runs: [{ ...addedRun('r', ['p']), ...run }],
  }
}
const phase = (state: RunsState) => phaseOf(state, state.runs[0] as SimpleRun)
const ended = (status: 'Done' | 'Canceled' | 'ExecuteError') => ({ status: jobStatus({ status }), outputs: [] })

describe('the phase of a run', () => {
  it.each<[string, Partial<AddedPicture>, Partial<SimpleRun>]>([
    ['added', {}, {}],
    ['added', { image }, {}],
    ['uploading', { share: 0 }, {}],
    ['uploading', {}, { values: {} }],
    ['uploadFailed', { problem: new Error('no') }, { values: {} }],
    ['requesting', { image }, { values: {} }],
    ['refused', { image }, { values: {}, refusal: new ApiError(422) }],
    ['generating', { image }, { values: {}, job: 'job-1' }],
    ['complete', { image }, { job: 'job-1', ended: ended('Done') }],
    ['canceled', { image }, { job: 'job-1', ended: ended('Canceled') }],
    ['failed', { image }, { job: 'job-1', ended: ended('ExecuteError') }],
  ])('is %s for %o and %o', (expected, picture, run) => {
    expect(phase(stateOf(picture, run))).toBe(expected)
  })
})

describe('runs of a simple app', () => {
  it('are requested once Run was pressed and all pictures are uploaded', () => {
    const added = stateOf({ share: 0.5 })
    expect(pendingRuns(added)).toHaveLength(1)
    const pressed = reduceRuns(added, { type: 'pressed', values: { size: 2 }, runs: pendingRuns(added) })
    expect(requestable(pressed)).toEqual([])
    const uploaded = reduceRuns(pressed, { type: 'uploaded', picture: 'p', image })
    expect(requestable(uploaded)).toMatchObject([{ key: 'r', values: { size: 2 } }])
    const accepted = reduceRuns(uploaded, { type: 'accepted', run: 'r', job: 'job-1' })
    expect(requestable(accepted)).toEqual([])
    expect(pendingRuns(accepted)).toEqual([])
  })

  it('wait again when the credits are used up, except for started ones', () => {
    const started = { ...addedRun('s', ['p']), values: {}, job: 'job-1' }
    const state = stateOf({ image }, { values: {} })
    const after = reduceRuns({ ...state, runs: [...state.runs, started] }, { type: 'creditsRanOut' })
    expect(after.runs.map(({ values }) => values)).toEqual([null, {}])
  })

  it('that were refused before the credits are used up start when they are tried again', () => {
    const refused = stateOf({ image }, { values: { size: 2 }, refusal: new ApiError(422) })
    const after = reduceRuns(refused, { type: 'creditsRanOut' })
    expect(pendingRuns(after)).toEqual([])
    const again = reduceRuns(after, { type: 'retried', run: 'r', key: 'r-2' })
    expect(requestable(again)).toMatchObject([{ key: 'r-2', values: { size: 2 } }])
  })

  it('are not started together with the others once they are refused', () => {
    expect(pendingRuns(stateOf({ image }, { refusal: new ApiError(422) }))).toEqual([])
  })

  it('start a new job on retry, and upload a failed picture again', () => {
    const failed = stateOf({ image }, { values: {}, job: 'job-1', ended: ended('ExecuteError') })
    const again = reduceRuns(failed, { type: 'retried', run: 'r', key: 'r-2' })
    expect(requestable(again)).toMatchObject([{ key: 'r-2', job: null }])
    const lost = reduceRuns(stateOf({ problem: new Error('no'), share: null }), { type: 'retried', run: 'r', key: 'r' })
    expect(phase(lost)).toBe('added')
  })

  it('are tried again together within the limit, without files that the server refuses', () => {
    const failed = Array.from({ length: 25 }, (_, at) => ({
      ...addedRun(`r${at}`, ['p']),
      job: `job-${at}`,
      ended: ended('ExecuteError'),
    }))
    const refused = { ...addedRun('refused', ['p']), values: {}, refusal: new ApiError(422) }
    const state = { ...stateOf({ image }), runs: [...failed, refused] }
    const again = retriableRuns(state)
    expect(again).toHaveLength(MAX_PICTURES)
    expect(again.at(-1)?.key).toBe('refused')
    const heic = stateOf({ problem: new ApiError(415), share: null })
    expect(retriableRuns(heic)).toEqual([])
    const lost = stateOf({ problem: new ApiError(0), share: null })
    expect(retriableRuns(lost)).toHaveLength(1)
  })

  it('go without a file that was not stored, and once with one that was found before', () => {
    const waiting = stateOf({}, { values: {} })
    expect(reduceRuns(waiting, { type: 'lost', pictures: ['p'] })).toEqual(EMPTY)
    const found = stateOf({}, { key: 'found' })
    const restored = reduceRuns(found, { type: 'restored', stored: waiting })
    expect(restored.runs.map(({ key }) => key)).toEqual(['r'])
  })

  it('get back the slots without a new picture', () => {
    const target = { ...EMPTY, pictures: { t: addedPicture('t', 'target.png', image) }, slots: ['t', null] }
    const face = reduceRuns(EMPTY, { type: 'slotted', slot: 1, picture: addedPicture('f', 'face.png') })
    const both = reduceRuns(face, { type: 'restored', stored: target })
    expect(both.slots).toEqual(['t', 'f'])
    expect(Object.keys(both.pictures).sort()).toEqual(['f', 't'])
    expect(reduceRuns(face, { type: 'restored', stored: EMPTY }).slots).toEqual([null, 'f'])
  })

  it('are lost with the page until the server knows of them', () => {
    expect(isSending(stateOf({ share: 0.5 }))).toBe(false)
    expect(isSending(stateOf({ share: 0.5 }, { values: {} }))).toBe(true)
    expect(isSending(stateOf({ image }, { values: {} }))).toBe(true)
    expect(isSending(stateOf({ image }, { values: {}, job: 'job-1' }))).toBe(false)
    expect(isSending(stateOf({ problem: new Error('no') }, { values: {} }))).toBe(false)
  })

  it('drop their pictures when they are removed', () => {
    const removed = reduceRuns(stateOf({ image }), { type: 'removed', runs: ['r'] })
    expect(removed).toEqual(EMPTY)
  })

  it('drop the oldest finished ones beyond forty', () => {
    const runs = Array.from({ length: 45 }, (_, at) => ({ ...addedRun(`r${at}`, ['p']), ended: ended('Done') }))
    const state = { ...stateOf({ image }), runs }
    const after = reduceRuns(state, { type: 'added', pictures: [], runs: [addedRun('new', ['p'])] })
    expect(after.runs).toHaveLength(41)
    expect(after.runs[0]?.key).toBe('r5')
  })

  it('keep a chosen picture of a slot until another one replaces it', () => {
    const first = reduceRuns(EMPTY, { type: 'slotted', slot: 1, picture: addedPicture('face', 'face.png', image) })
    expect(first.slots).toEqual([null, 'face'])
    const cleared = reduceRuns(first, { type: 'slotted', slot: 1, picture: null })
    expect(cleared).toEqual({ ...EMPTY, slots: [null, null] })
  })

  it('store what the server has', () => {
    expect(storable(stateOf({ share: 0.5 })).runs).toEqual([])
    expect(storable(stateOf({ image }, { job: 'job-1', ended: ended('Done') })).runs).toMatchObject([
      { job: 'job-1', ended: null },
    ])
    const pressed = storable(stateOf({ share: 0.5 }, { values: { size: 2 } }))
    expect(pressed).toMatchObject({ runs: [{ key: 'r', values: { size: 2 } }], pictures: { p: { share: null } } })
    expect(storable(stateOf({ problem: new Error('no') }, { values: {} })).runs).toEqual([])
    const refused = stateOf({ image }, { values: {}, refusal: new ApiError(422) })
    expect(storable(refused).runs).toMatchObject([{ values: null }])
    // The server may have started the job whose answer was lost: its key stays in use.
    const lost = stateOf({ image }, { values: {}, refusal: new ApiError(0) })
    expect(storable(lost).runs).toMatchObject([{ key: 'r', values: {} }])
  })
})

describe('the form of a bound app', () => {
  const field = (name: string, widget: FormField['widget'] = 'image'): FormField => ({
    name,
    title: name,
    type: 'string',
    widget,
    required: true,
  })
  it('gives its picture fields to the page and the rest to the options', () => {
    const size = field('size', 'text')
    const picture = field('photo')
    const mask = field('mask')
    expect(divideForm('background-remover', { fields: [size, picture, mask] })).toEqual({
      pictures: [picture],
      rest: { fields: [size, mask] },
    })
  })
  it('finds the field of the face by its name, else takes the second', () => {
    const swap = (fields: FormField[]) => divideForm('face-swap', { fields })?.pictures.map(({ name }) => name)
    expect(swap([field('source_image'), field('input_image')])).toEqual(['input_image', 'source_image'])
    expect(swap([field('one'), field('two')])).toEqual(['one', 'two'])
  })
  it('is refused without enough picture fields', () => {
    expect(divideForm('face-swap', { fields: [field('one')] })).toBeNull()
    expect(divideForm('image-to-prompt', { fields: [field('text', 'text')] })).toBeNull()
  })
})

it('names what is missing as a node class or as a model in its folder', () => {
  expect(requirementOf('ReActorFaceSwap')).toEqual({ kind: 'NodeClass', folder: null, name: 'ReActorFaceSwap' })
  expect(requirementOf('insightface/inswapper_128.onnx')).toEqual({
    kind: 'Model',
    folder: 'insightface',
    name: 'inswapper_128.onnx',
  })
  expect(requirementOf('a/b')).toEqual({ kind: 'NodeClass', folder: null, name: 'a/b' })
})
