import { isApiError } from '@/shared/api/errors'
import { isBigInteger } from '@/shared/lib/big-integers'
import { isRecord } from '@/shared/lib/is-record'
import { oneOf, urlParams } from '@/shared/lib/url-params'
import { isUpload } from '@/shared/ui/schema-form/is-upload'
import type { WidgetName } from '@/shared/ui/schema-form/read-form'
import type { Adapter, EditorNode, HealthProblem, InputEntry, OutputEntry, SavedApi, Setup } from './types'

/** The parts of the editor. A new part needs a title in `tabs` and a line in the editor. */
export const TABS = ['select', 'detail', 'share', 'webhook', 'dataPreview'] as const
export type Tab = (typeof TABS)[number]
export const EDITOR_PARAMS = urlParams({
  tab: oneOf(TABS, 'select'),
  /** Starts with the app that the workflow brings. */
  app: oneOf(['', 'true'], ''),
})

export const EMPTY: Setup = { inputs: {}, outputs: {} }

/** Maximum characters of an API field's name, of a text, and of a tooltip. */
export const MAX_FIELD_NAME = 100
export const MAX_WORD = 200
export const MAX_TOOLTIP = 2000

/** A change of an input's adapter; `undefined` resets a value to the node's. */
export type InputChange = { [K in keyof Adapter]?: Adapter[K] | undefined }

export const inputKey = (entry: Pick<InputEntry, 'id' | 'name'>): string => `${entry.id}.${entry.name}`

type Ordered = { order: number }
type Entries<T> = Record<string, T>

export const keysInOrder = <T extends Ordered>(entries: Entries<T>): string[] =>
  Object.keys(entries).toSorted((a, b) => (entries[a]?.order ?? 0) - (entries[b]?.order ?? 0))

/** The entries in this order, numbered from 1; keys not named follow in their order. */
function renumbered<T extends Ordered>(entries: Entries<T>, keys: string[] = []): Entries<T> {
  const named = [...new Set(keys)].filter((key) => key in entries)
  const all = [...named, ...keysInOrder(entries).filter((key) => !named.includes(key))]
  return Object.fromEntries(all.map((key, index) => [key, { ...(entries[key] as T), order: index + 1 }]))
}

const without = <T extends Ordered>(entries: Entries<T>, key: string): Entries<T> => {
  const { [key]: _, ...rest } = entries
  return renumbered(rest)
}

/** Adds an input at the end: its position is the count plus one. An existing input stays unchanged. */
export function addInput(setup: Setup, entry: InputEntry): Setup {
  const key = inputKey(entry)
  if (key in setup.inputs) return setup
  const order = Object.keys(setup.inputs).length + 1
  return { ...setup, inputs: { ...setup.inputs, [key]: { ...entry, order } } }
}

/** Adds an output after the highest position. */
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

/** Changes an input's adapter; `undefined` resets a value to the node's. */
export function changeAdapter(setup: Setup, key: string, change: InputChange): Setup {
  const entry = setup.inputs[key]
  if (!entry) return setup
  const merged = Object.entries({ ...entry.adapter, ...change }).filter(([, value]) => value !== undefined)
  return { ...setup, inputs: { ...setup.inputs, [key]: { ...entry, adapter: Object.fromEntries(merged) as Adapter } } }
}

/**
 * A random seed, or a fixed one that is drawn now. A random seed is -1 for the node and `isRandom` for the form. `draw`
 * returns a number in [0, 1).
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

/** The type in an input's definition. A list of choices is a COMBO. */
export function typeWord(entry: Pick<InputEntry, 'raw'>): string {
  const first = Array.isArray(entry.raw) ? (entry.raw[0] as unknown) : undefined
  if (Array.isArray(first)) return 'COMBO'
  return typeof first === 'string' ? first : ''
}

const isLimit = (value: unknown): value is number | string => typeof value === 'number' || isBigInteger(value)

/** The node's own limits; the adapter may only narrow them. */
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

/** The widgets that an input can have. File inputs have one; a model may also be a plain choice or text. */
export function widgetsOf(entry: Pick<InputEntry, 'raw' | 'adapter'>): WidgetName[] {
  const now = entry.adapter.uiType
  if (now !== undefined && isUpload(now)) return [now]
  const fitting = FITTING[typeWord(entry)] ?? []
  return now === undefined || fitting.includes(now) ? fitting : [now, ...fitting]
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
}

/** Whether two setups are equal: false means unsaved changes. */
export const sameSetup = (a: Setup, b: Setup): boolean => canonicalJson(a) === canonicalJson(b)

export type SaveBlock = 'unhealthy' | 'noInput' | 'noOutput'

/** The server's codes for the same reasons. */
const REFUSED: Record<string, SaveBlock | undefined> = {
  WORKFLOW_API_UNHEALTHY: 'unhealthy',
  WORKFLOW_API_NO_INPUT: 'noInput',
  WORKFLOW_API_NO_OUTPUT: 'noOutput',
}
export const refusedBlock = (error: unknown): SaveBlock | null => (isApiError(error) && REFUSED[error.code]) || null

/** Whether an input has a name in the API. Undefined uses the node's default name; empty means none. */
const hasField = ({ adapter }: InputEntry) => adapter.apiFieldName === undefined || adapter.apiFieldName.trim() !== ''

export function saveBlock(setup: Setup, problems: readonly HealthProblem[]): SaveBlock | null {
  if (problems.length > 0) return 'unhealthy'
  if (!Object.values(setup.inputs).some(hasField)) return 'noInput'
  return Object.keys(setup.outputs).length === 0 ? 'noOutput' : null
}

/** Why a test run cannot start: unsaved changes, or never saved. */
type TestBlock = 'unsaved' | 'notSaved'

export function testBlock(isSaved: boolean, isChanged: boolean): TestBlock | null {
  if (!isSaved) return 'notSaved'
  return isChanged ? 'unsaved' : null
}

const nameOf = ({ place, code }: HealthProblem) => `${place} ${code}`

export function freshProblems(known: readonly HealthProblem[], found: readonly HealthProblem[]): HealthProblem[] {
  const before = new Set(known.map(nameOf))
  return found.filter((problem) => !before.has(nameOf(problem)))
}

/** The entry that a problem is about, by its key in the setup. */
export function entryOf({ place }: HealthProblem): { part: keyof Setup; key: string } | null {
  const dot = place.indexOf('.')
  const part = place.slice(0, dot)
  return part === 'inputs' || part === 'outputs' ? { part, key: place.slice(dot + 1) } : null
}

/** API names used by more than one input or output. */
export function duplicateNames(setup: Setup): { inputs: string[]; outputs: string[] } {
  const names = (list: (string | undefined)[]) => list.map((name) => name?.trim() ?? '').filter((name) => name !== '')
  const twice = (list: string[]) => [...new Set(list.filter((name, at) => list.indexOf(name) !== at))]
  return {
    inputs: twice(names(Object.values(setup.inputs).map((entry) => entry.adapter.apiFieldName))),
    outputs: twice(names(Object.values(setup.outputs).map((entry) => entry.apiFieldName))),
  }
}

export const setupOf = (saved: SavedApi | null): Setup =>
  saved ? { inputs: saved.inputs, outputs: saved.outputs } : EMPTY

export const isEmpty = ({ inputs, outputs }: Setup): boolean =>
  Object.keys(inputs).length === 0 && Object.keys(outputs).length === 0

export const inputsOf = ({ inputs }: Pick<EditorNode, 'inputs'>): InputEntry[] => [
  ...Object.values(inputs.required),
  ...Object.values(inputs.optional),
]

/** Nodes with a chosen input or output. */
export const nodesOf = ({ inputs, outputs }: Setup): ReadonlySet<string> =>
  new Set([...Object.values(inputs), ...Object.values(outputs)].map(({ id }) => id))

export function changeOutput(setup: Setup, key: string, change: { [K in keyof OutputEntry]?: OutputEntry[K] }): Setup {
  const entry = setup.outputs[key]
  return entry ? { ...setup, outputs: { ...setup.outputs, [key]: { ...entry, ...change } } } : setup
}

type Words<T> = { translations?: Record<string, T> }

/** Changes the texts of a language. Empty texts, and languages without texts, are removed. */
export function withWords<T extends object>(
  { translations = {} }: Words<T>,
  language: string,
  change: Partial<T>,
): Record<string, T> | undefined {
  const texts = Object.entries({ ...translations[language], ...change }).filter(([, words]) =>
    isRecord(words) ? Object.keys(words).length > 0 : Boolean(words),
  )
  const { [language]: _, ...others } = translations
  const all = texts.length > 0 ? { ...others, [language]: Object.fromEntries(texts) as T } : others
  return Object.keys(all).length > 0 ? all : undefined
}

export type Choice = string | number | boolean
const isChoice = (value: unknown): value is Choice => ['string', 'number', 'boolean'].includes(typeof value)

/** All choices of the node, in either form of its definition. */
export function choicesOf({ raw }: Pick<InputEntry, 'raw'>): Choice[] {
  if (!Array.isArray(raw)) return []
  const options = isRecord(raw[1]) ? raw[1].options : undefined
  const list: unknown = Array.isArray(raw[0]) ? raw[0] : options
  return Array.isArray(list) ? list.filter(isChoice) : []
}

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

/** The adapter's options for these offers: none if they are the node's choices under their own names. */
export function optionsOf(offers: Offer[]): Pick<Adapter, 'options'> | { options: undefined } {
  const plain = offers.every(({ offered, label }) => offered && label.trim() === '')
  if (plain) return { options: undefined }
  const offered = offers.filter((offer) => offer.offered)
  return {
    options: offered.map(({ value, label }) => (label.trim() ? { value, label: label.trim() } : value)),
  }
}

/** The default API name of an input: node id, class and input name. */
export const defaultFieldName = ({ id, nodeName, name }: InputEntry): string =>
  [...`${id}.${nodeName}.${name}`]
    .slice(0, MAX_FIELD_NAME)
    .map((letter) => (/[\p{L}\p{N}._-]/u.test(letter) ? letter : '_'))
    .join('')

/** Whether a name is valid in the API; empty is not. */
export const isFieldName = (name: string): boolean => /^(?!__)[\p{L}\p{N}._-]*$/u.test(name.trim())

/** The server's errors of a setup, by entry and then by field (`min`, `apiFieldName`, ...). */
export function refusedOf(error: unknown, setup: Setup): Record<string, Record<string, string>> {
  const found: Record<string, Record<string, string>> = {}
  if (!isApiError(error)) return found
  const places = [
    ...Object.keys(setup.inputs).map((key) => `inputs.${key}`),
    ...Object.keys(setup.outputs).map((key) => `outputs.${key}`),
  ].sort((a, b) => b.length - a.length)
  for (const { field, message } of error.fields) {
    // Names of inputs contain dots, so the longest match wins.
    const place = places.find((one) => field === one || field.startsWith(`${one}.`))
    if (!place) continue
    const part = field.slice(place.length + 1).replace(/^adapter\./, '')
    found[place] = { ...found[place], [part]: message }
  }
  return found
}

export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)

const SHARE_REFUSALS = ['SHARE_USER_UNKNOWN', 'SHARE_WITH_YOURSELF', 'SHARED_ALREADY', 'SHARE_LIMIT'] as const
type ShareRefusal = (typeof SHARE_REFUSALS)[number]

export function shareRefusalOf(error: unknown): ShareRefusal | 'INVALID_EMAIL' | null {
  if (!isApiError(error)) return null
  if (error.fields.some(({ field }) => field === 'userEmail')) return 'INVALID_EMAIL'
  const code: string = error.code
  return SHARE_REFUSALS.find((known) => known === code) ?? null
}

/** The found problems whose entries are still in the setup. */
export const problemsOf = (setup: Setup, found: readonly HealthProblem[]): HealthProblem[] =>
  found.filter((problem) => {
    const place = entryOf(problem)
    return place !== null && place.key in setup[place.part]
  })

/** Changes the widget. Settings specific to seeds are dropped. */
export function withWidget({ uiType, default: value }: Adapter, next: WidgetName): InputChange {
  if (uiType === 'seed' && next !== 'seed') {
    return { uiType: next, isRandom: undefined, default: value === -1 ? undefined : value }
  }
  return { uiType: next, ...(next === 'seed' && { isRandom: true }) }
}
