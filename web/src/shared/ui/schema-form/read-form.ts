import { isBigInteger } from '@/shared/lib/big-integers'
import { isNumeric } from './check-values'
import { readNumber } from './read-number'

/** The widgets of the specification. Whatever else a form asks for is shown by the type of its value. */
export type WidgetName =
  | 'toggle'
  | 'image'
  | 'video'
  | 'audio'
  | 'seed'
  | 'model'
  | 'range'
  | 'select'
  | 'textarea'
  | 'text'

type FieldType = 'string' | 'integer' | 'number' | 'boolean'
/** Limits that no number here holds are texts of their digits. */
type Limits = { minimum?: number | string; maximum?: number | string; maxLength?: number }
/** What a list offers: the node's own values, in their types. */
export type Option = string | number | boolean

/** One field of a form, cleaned: only what this application shows and checks is left of the schema. */
export type FormField = Limits & {
  name: string
  title: string
  description?: string
  type: FieldType
  widget: WidgetName
  default?: string | number | boolean
  options?: Option[]
  /** What the options are called, one each. */
  labels?: string[]
  /** How far one move of a slider goes. It shapes the control, and refuses no value. */
  step?: number
  required: boolean
  /** Whether the node runs without a value, so that the field may be emptied. */
  optional?: boolean
  folder?: string
  placeholder?: string
}

export type ReadForm = { fields: FormField[] }

const MAX_FIELDS = 200
const TYPES: FieldType[] = ['string', 'integer', 'number', 'boolean']
const FITTING: Record<FieldType, WidgetName[]> = {
  string: ['text', 'textarea', 'image', 'video', 'audio', 'model', 'select'],
  integer: ['range', 'seed', 'select', 'text'],
  number: ['range', 'select', 'text'],
  boolean: ['toggle', 'select'],
}
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isOption = (value: unknown): value is Option => ['string', 'number', 'boolean'].includes(typeof value)
const limitOf = (value: unknown) => (isBigInteger(value) ? value : numberOf(value))
const numberOf = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/**
 * Reads the schema that a mini app brings. It was written by a stranger, so nothing passes that is not on the list:
 * no references, no patterns (they can be made to run for ever), no markup. Null when it is not a form at all. Fields say
 * in `language` what they have words for in it.
 */
export function readForm(rawSchema: unknown, rawUiSchema: unknown, language = 'en'): ReadForm | null {
  if (!isRecord(rawSchema) || !isRecord(rawSchema.properties)) return null
  const ui = isRecord(rawUiSchema) ? rawUiSchema : {}
  const required = new Set(Array.isArray(rawSchema.required) ? rawSchema.required : [])
  const names = Object.keys(rawSchema.properties).filter((name) => !FORBIDDEN.has(name))
  const fields: FormField[] = []
  for (const name of inOrder(names, ui['ui:order']).slice(0, MAX_FIELDS)) {
    const field = readField(name, rawSchema.properties[name], ui[name], required.has(name), language)
    if (field) fields.push(field)
  }
  return { fields }
}

function inOrder(names: string[], order: unknown): string[] {
  if (!Array.isArray(order)) return names
  const first = order.filter((name): name is string => names.includes(name as string))
  return [...new Set([...first, ...names])]
}

function readField(name: string, schema: unknown, ui: unknown, required: boolean, language: string): FormField | null {
  if (!isRecord(schema)) return null
  const options = Array.isArray(schema.enum) ? schema.enum.filter(isOption) : undefined
  // A list of several types names none.
  const type = TYPES.find((known) => known === schema.type) ?? (options && schema.type === undefined && 'string')
  if (!type) return null
  const uiSchema = isRecord(ui) ? ui : {}
  const wishes = isRecord(uiSchema['ui:options']) ? uiSchema['ui:options'] : {}
  const translations = isRecord(wishes.translations) ? wishes.translations[language] : undefined
  const words = isRecord(translations) ? translations : {}
  const field: FormField = {
    name,
    title: textOf(words.title) ?? textOf(schema.title) ?? name,
    type,
    widget: widgetFor(type, uiSchema['ui:widget'] ?? wishes.widget, options !== undefined),
    required,
  }
  const description = textOf(words.description) ?? textOf(schema.description)
  if (description) field.description = description
  if (options) field.options = options
  const labels = words.enumNames ?? uiSchema['ui:enumNames'] ?? wishes.enumNames ?? schema.enumNames
  if (options && Array.isArray(labels) && Array.isArray(schema.enum)) {
    // Told in the order of the schema's own list, of which some values may not be shown.
    const told = schema.enum.map((value, index) => [value, labels[index]] as const)
    field.labels = options.map((option) => textOf(told.find(([value]) => value === option)?.[1]) ?? String(option))
  }
  const step = numberOf(wishes.step)
  if (step !== undefined && step > 0) field.step = step
  const start = schema.default
  if (type === 'number' && isBigInteger(start)) field.default = Number(start)
  else if (isOption(start)) field.default = start
  for (const limit of ['minimum', 'maximum'] as const) {
    const value = limitOf(schema[limit])
    if (value !== undefined) field[limit] = value
  }
  // A seed of -1 stands for a random one, and is no number to type.
  if (field.widget === 'seed' && field.minimum === -1) field.minimum = 0
  const longest = numberOf(schema.maxLength)
  if (longest !== undefined) field.maxLength = longest
  if (wishes.optional === true || (!required && field.default === undefined)) field.optional = true
  const folder = textOf(wishes.folder)
  if (folder) field.folder = folder
  const placeholder = textOf(wishes.placeholder)
  if (placeholder) field.placeholder = placeholder
  return field
}

function widgetFor(type: FieldType, wanted: unknown, hasOptions: boolean): WidgetName {
  const fitting = FITTING[type].find((widget) => widget === wanted)
  if (fitting && (fitting !== 'select' || hasOptions)) return fitting
  if (hasOptions) return 'select'
  return type === 'boolean' ? 'toggle' : type === 'string' ? 'text' : 'range'
}

export type FormValues = Record<string, unknown>

/** The values that a fresh form starts with. */
export const defaultsOf = (form: ReadForm): FormValues =>
  Object.fromEntries(form.fields.filter((f) => f.default !== undefined).map((f) => [f.name, f.default]))

/** Keeps of a stored draft what the form still has, in the right type; the rest starts with its default. */
export function restoreValues(form: ReadForm, draft: unknown): FormValues {
  const values = defaultsOf(form)
  if (!isRecord(draft)) return values
  for (const field of form.fields) {
    const value = fitting(field, draft[field.name])
    if (value !== undefined) values[field.name] = value
  }
  return values
}

/** The value as the field takes it; undefined where it does not. */
function fitting(field: FormField, value: unknown): unknown {
  if (value === undefined || (value === null && field.widget === 'toggle')) return undefined
  // What was emptied stays so.
  if (value === null) return isNumeric(field) || field.optional ? null : undefined
  if (field.widget === 'select' && field.options) return field.options.includes(value as Option) ? value : undefined
  if (!isNumeric(field)) return typeof value === field.type ? value : undefined
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const read = readNumber(String(value), field.type === 'integer')
  return 'value' in read ? read.value : undefined
}
