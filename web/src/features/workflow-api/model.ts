import { isApiError } from '@/shared/api/errors'
import { isBigInteger } from '@/shared/lib/big-integers'
import { oneOf, question } from '@/shared/lib/question'
import type { WidgetName } from '@/shared/ui/schema-form/read-form'
import type { Adapter, EditorNode, HealthProblem, InputEntry, OutputEntry, SavedApi, Setup } from './types'

/** The parts of the editor. A part that is added here needs its title below `tabs` and its place in the editor. */
export const TABS = ['select', 'detail', 'share', 'webhook', 'dataPreview'] as const
export type Tab = (typeof TABS)[number]
export const asking = question({ tab: oneOf(TABS, 'select') })

export const EMPTY: Setup = { inputs: {}, outputs: {} }

/** The longest name of an API field, of anything that is said, and of a tooltip, in characters. */
export const MAX_FIELD_NAME = 100
export const MAX_WORD = 200
export const MAX_TOOLTIP = 2000

/** A change of an input's adapter; what is `undefined` follows from the node again. */
export type InputChange = { [K in keyof Adapter]?: Adapter[K] | undefined }

export const inputKey = (entry: Pick<InputEntry, 'id' | 'name'>): string => `${entry.id}.${entry.name}`

type Ordered = { order: number }
type Entries<T> = Record<string, T>

/** Keys by their places; equal places in the order that they were written in. */
export const keysInOrder = <T extends Ordered>(entries: Entries<T>): string[] =>
  Object.keys(entries).toSorted((a, b) => (entries[a]?.order ?? 0) - (entries[b]?.order ?? 0))

/** The entries in this order, numbered from 1; keys that are not named come after, as they stood. */
export function renumbered<T extends Ordered>(entries: Entries<T>, keys: string[] = []): Entries<T> {
  const named = [...new Set(keys)].filter((key) => key in entries)
  const all = [...named, ...keysInOrder(entries).filter((key) => !named.includes(key))]
  return Object.fromEntries(all.map((key, index) => [key, { ...(entries[key] as T), order: index + 1 }]))
}

const without = <T extends Ordered>(entries: Entries<T>, key: string): Entries<T> => {
  const { [key]: _, ...rest } = entries
  return renumbered(rest)
}

/** A new input comes last: its place is the count plus one. What is there already stays as it was set. */
export function addInput(setup: Setup, entry: InputEntry): Setup {
  const key = inputKey(entry)
  if (key in setup.inputs) return setup
  const order = Object.keys(setup.inputs).length + 1
  return { ...setup, inputs: { ...setup.inputs, [key]: { ...entry, order } } }
}

/** A new output comes after the last place that is taken. */
export function addOutput(setup: Setup, entry: OutputEntry): Setup {
  if (entry.id in setup.outputs) return setup
  const order = Math.max(0, ...Object.values(setup.outputs).map((one) => one.order)) + 1
  return { ...setup, outputs: { ...setup.outputs, [entry.id]: { ...entry, order } } }
}

export const removeInput = (setup: Setup, key: string): Setup => ({ ...setup, inputs: without(setup.inputs, key) })
export const removeOutput = (setup: Setup, key: string): Setup => ({ ...setup, outputs: without(setup.outputs, key) })

export const orderInputs = (setup: Setup, keys: string[]): Setup => ({
  ...setup,
  inputs: renumbered(setup.inputs, keys),
})
export const orderOutputs = (setup: Setup, keys: string[]): Setup => ({
  ...setup,
  outputs: renumbered(setup.outputs, keys),
})

/** Changes some of an input's adapter; what is set to `undefined` follows from the node again. */
export function changeAdapter(setup: Setup, key: string, change: InputChange): Setup {
  const entry = setup.inputs[key]
  if (!entry) return setup
  const merged = Object.entries({ ...entry.adapter, ...change }).filter(([, value]) => value !== undefined)
  return { ...setup, inputs: { ...setup.inputs, [key]: { ...entry, adapter: Object.fromEntries(merged) as Adapter } } }
}

/**
 * A seed that is random, or fixed at a number that is drawn when it is fixed. Random is -1 for the node; the form says
 * so by `isRandom`. `draw` gives a number from 0 up to, and without, 1.
 */
export function seedOf(
  isRandom: boolean,
  most: number | string | undefined,
  draw: () => number,
): Pick<Adapter, 'default'> & {
  isRandom: boolean
} {
  if (isRandom) return { isRandom, default: -1 }
  const limit = Math.min(Number(most ?? Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
  return { isRandom, default: Math.floor(draw() * limit) }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The type word of an input: what its definition begins with. A list of choices is a COMBO. */
export function typeWord(entry: Pick<InputEntry, 'raw'>): string {
  const first = Array.isArray(entry.raw) ? (entry.raw[0] as unknown) : undefined
  if (Array.isArray(first)) return 'COMBO'
  return typeof first === 'string' ? first : ''
}

const isLimit = (value: unknown): value is number | string => typeof value === 'number' || isBigInteger(value)

/** The limits that the node itself has; the adapter may only narrow them. */
export function nodeLimits(entry: Pick<InputEntry, 'raw'>): { min?: number | string; max?: number | string } {
  const options = Array.isArray(entry.raw) ? (entry.raw[1] as unknown) : undefined
  if (!isRecord(options)) return {}
  return {
    ...(isLimit(options.min) && { min: options.min }),
    ...(isLimit(options.max) && { max: options.max }),
  }
}

const FITTING: Record<string, WidgetName[]> = {
  BOOLEAN: ['toggle'],
  INT: ['range', 'seed'],
  FLOAT: ['range'],
  COMBO: ['select'],
  STRING: ['text', 'textarea'],
}

/** The widgets that an input can have. Those of files stand alone; a model may also be chosen, or written, plainly. */
export function widgetsOf(entry: Pick<InputEntry, 'raw' | 'adapter'>): WidgetName[] {
  const now = entry.adapter.uiType
  if (now === 'image' || now === 'video' || now === 'audio') return [now]
  const fitting = FITTING[typeWord(entry)] ?? []
  return now === undefined || fitting.includes(now) ? fitting : [now, ...fitting]
}

/** JSON with the keys of every object in one order, so that two spellings of the same are the same. */
function spelled(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
}

/** Whether two setups say the same: what the unsaved flag goes by. */
export const sameSetup = (a: Setup, b: Setup): boolean => spelled(a) === spelled(b)

/** Why a setup cannot be saved. */
export type SaveBlock = 'unhealthy' | 'noInput' | 'noOutput'

/** What the server finds in the way, of the same three. */
const REFUSED: Record<string, SaveBlock | undefined> = {
  WORKFLOW_API_UNHEALTHY: 'unhealthy',
  WORKFLOW_API_NO_INPUT: 'noInput',
  WORKFLOW_API_NO_OUTPUT: 'noOutput',
}
export const refusedBlock = (error: unknown): SaveBlock | null => (isApiError(error) && REFUSED[error.code]) || null

/** An input that has a name in the API. Left out, the name follows from the node; emptied, there is none. */
const hasField = ({ adapter }: InputEntry) => adapter.apiFieldName === undefined || adapter.apiFieldName.trim() !== ''

/** What stands in the way of saving, the first thing first; null where nothing does. */
export function saveBlock(setup: Setup, problems: readonly HealthProblem[]): SaveBlock | null {
  if (problems.length > 0) return 'unhealthy'
  if (!Object.values(setup.inputs).some(hasField)) return 'noInput'
  return Object.keys(setup.outputs).length === 0 ? 'noOutput' : null
}

/** Why a test run cannot begin: there are changes, or nothing was ever saved. */
export type TestBlock = 'unsaved' | 'notSaved'

export function testBlock(isSaved: boolean, isChanged: boolean): TestBlock | null {
  if (!isSaved) return 'notSaved'
  return isChanged ? 'unsaved' : null
}

const nameOf = ({ place, code }: HealthProblem) => `${place} ${code}`

/** The problems that were not known before. */
export function freshProblems(known: readonly HealthProblem[], found: readonly HealthProblem[]): HealthProblem[] {
  const before = new Set(known.map(nameOf))
  return found.filter((problem) => !before.has(nameOf(problem)))
}

/** What a problem is about: an input or an output, by its key in the setup. */
export function placeOf({ place }: HealthProblem): { part: keyof Setup; key: string } | null {
  const dot = place.indexOf('.')
  const part = place.slice(0, dot)
  return part === 'inputs' || part === 'outputs' ? { part, key: place.slice(dot + 1) } : null
}

/** Names in the API that more than one input, or more than one output, has. */
export function namedTwice(setup: Setup): { inputs: string[]; outputs: string[] } {
  const names = (list: (string | undefined)[]) => list.map((name) => name?.trim() ?? '').filter((name) => name !== '')
  const twice = (list: string[]) => [...new Set(list.filter((name, at) => list.indexOf(name) !== at))]
  return {
    inputs: twice(names(Object.values(setup.inputs).map((entry) => entry.adapter.apiFieldName))),
    outputs: twice(names(Object.values(setup.outputs).map((entry) => entry.apiFieldName))),
  }
}

/** What is set up where it was last saved; nothing before the first time. */
export const setupOf = (saved: SavedApi | null): Setup =>
  saved ? { inputs: saved.inputs, outputs: saved.outputs } : EMPTY

export const isEmpty = ({ inputs, outputs }: Setup): boolean =>
  Object.keys(inputs).length === 0 && Object.keys(outputs).length === 0

/** All inputs of a node, those that it needs first. */
export const inputsOf = ({ inputs }: Pick<EditorNode, 'inputs'>): InputEntry[] => [
  ...Object.values(inputs.required),
  ...Object.values(inputs.optional),
]

/** Nodes that something is chosen of. */
export const nodesOf = ({ inputs, outputs }: Setup): ReadonlySet<string> =>
  new Set([...Object.values(inputs), ...Object.values(outputs)].map(({ id }) => id))

/** Changes an output; what is set to `undefined` is gone. */
export function changeOutput(setup: Setup, key: string, change: { [K in keyof OutputEntry]?: OutputEntry[K] }): Setup {
  const entry = setup.outputs[key]
  return entry ? { ...setup, outputs: { ...setup.outputs, [key]: { ...entry, ...change } } } : setup
}

type Words<T> = { translations?: Record<string, T> }

/** The words in a language with some changed. Emptied words are none, and a language without words is not named. */
export function withWords<T extends object>(
  { translations = {} }: Words<T>,
  language: string,
  change: Partial<T>,
): Record<string, T> | undefined {
  const said = Object.entries({ ...translations[language], ...change }).filter(([, words]) =>
    isRecord(words) ? Object.keys(words).length > 0 : Boolean(words),
  )
  const { [language]: _, ...others } = translations
  const all = said.length > 0 ? { ...others, [language]: Object.fromEntries(said) as T } : others
  return Object.keys(all).length > 0 ? all : undefined
}

export type Choice = string | number | boolean
const isChoice = (value: unknown): value is Choice => ['string', 'number', 'boolean'].includes(typeof value)

/** All that the node offers to choose from, in either spelling of its definition. */
export function choicesOf({ raw }: Pick<InputEntry, 'raw'>): Choice[] {
  if (!Array.isArray(raw)) return []
  const options = isRecord(raw[1]) ? raw[1].options : undefined
  const list: unknown = Array.isArray(raw[0]) ? raw[0] : options
  return Array.isArray(list) ? list.filter(isChoice) : []
}

/** A choice of the node: whether the form offers it, and what it is called there. */
export type Offer = { value: Choice; offered: boolean; label: string }

export function offersOf({ raw, adapter }: Pick<InputEntry, 'raw' | 'adapter'>): Offer[] {
  const narrowed = adapter.options ?? adapter.comboOptions
  const named = new Map<unknown, string>()
  for (const option of narrowed ?? []) {
    if (isRecord(option)) named.set(option.value, typeof option.label === 'string' ? option.label : '')
    else named.set(option, '')
  }
  return choicesOf({ raw }).map((value) => ({
    value,
    offered: !narrowed?.length || named.has(value),
    label: named.get(value) ?? '',
  }))
}

/** What the adapter says for these offers: nothing where they are all that the node has, under its own names. */
export function optionsOf(offers: Offer[]): Pick<Adapter, 'options'> | { options: undefined } {
  const plain = offers.every(({ offered, label }) => offered && label.trim() === '')
  if (plain) return { options: undefined }
  const offered = offers.filter((offer) => offer.offered)
  return {
    options: offered.map(({ value, label }) => (label.trim() ? { value, label: label.trim() } : value)),
  }
}

/** The name in the API that an input has where none is written: its node, the node's class, and its own name. */
export const defaultFieldName = ({ id, nodeName, name }: InputEntry): string =>
  [...`${id}.${nodeName}.${name}`]
    .slice(0, MAX_FIELD_NAME)
    .map((letter) => (/[\p{L}\p{N}._-]/u.test(letter) ? letter : '_'))
    .join('')

/** Whether a name is one that programs can send; what is empty is none. */
export const isFieldName = (name: string): boolean => /^(?!__)[\p{L}\p{N}._-]*$/u.test(name.trim())

/** What the server refused of a setup, by the entry and then by what of it (`min`, `apiFieldName`, ...). */
export function refusedOf(error: unknown, setup: Setup): Record<string, Record<string, string>> {
  const found: Record<string, Record<string, string>> = {}
  if (!isApiError(error)) return found
  const places = [
    ...Object.keys(setup.inputs).map((key) => `inputs.${key}`),
    ...Object.keys(setup.outputs).map((key) => `outputs.${key}`),
  ].sort((a, b) => b.length - a.length)
  for (const { field, message } of error.fields) {
    // Names of inputs have dots, so that the longest place is the right one.
    const place = places.find((one) => field === one || field.startsWith(`${one}.`))
    if (!place) continue
    const part = field.slice(place.length + 1).replace(/^adapter\./, '')
    found[place] = { ...found[place], [part]: message }
  }
  return found
}

/** A simple pattern: something, an at sign, and a host with a dot. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)

/** Why somebody cannot be shared with, as the server says. */
const SHARE_REFUSALS = ['SHARE_USER_UNKNOWN', 'SHARE_WITH_YOURSELF', 'SHARED_ALREADY', 'SHARE_LIMIT'] as const
export type ShareRefusal = (typeof SHARE_REFUSALS)[number]

export function shareRefusalOf(error: unknown): ShareRefusal | 'INVALID_EMAIL' | null {
  if (!isApiError(error)) return null
  if (error.fields.some(({ field }) => field === 'userEmail')) return 'INVALID_EMAIL'
  const code: string = error.code
  return SHARE_REFUSALS.find((known) => known === code) ?? null
}

/** Of what was found what is about something that is still set up: what is taken out is mended. */
export const problemsOf = (setup: Setup, found: readonly HealthProblem[]): HealthProblem[] =>
  found.filter((problem) => {
    const place = placeOf(problem)
    return place !== null && place.key in setup[place.part]
  })

/** Another widget. What only a seed has goes with it. */
export function withWidget({ uiType, default: value }: Adapter, next: WidgetName): InputChange {
  if (uiType === 'seed' && next !== 'seed') {
    return { uiType: next, isRandom: undefined, default: value === -1 ? undefined : value }
  }
  return { uiType: next, ...(next === 'seed' && { isRandom: true }) }
}
