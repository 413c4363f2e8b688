import { isBigInteger } from '@/shared/lib/big-integers'
import { isRecord } from '@/shared/lib/is-record'
import { isNumeric } from './check-values'
import { readNumber } from './read-number'

/** The widgets of the specification. Other fields get a widget by the type of their value. */
export type WidgetName =
  | 'toggle'
  | 'image'
  | 'video'
  | 'audio'
  | 'textfile'
  | 'seed'
  | 'model'
  | 'range'
  | 'select'
  | 'textarea'
  | 'text'

type FieldType = 'string' | 'integer' | 'number' | 'boolean'
/** Limits beyond the safe integers are strings of digits. */
type Limits = { minimum?: number | string; maximum?: number | string; maxLength?: number }
/** The options of a list: the node's own values, with their types. */
export type Option = string | number | boolean

/** One field of a form, reduced to what this application shows and checks. */
export type FormField = Limits & {
  name: string
  title: string
  description?: string
  type: FieldType
  widget: WidgetName
  default?: string | number | boolean
  options?: Option[]
  /** The labels of the options. */
  labels?: string[]
  /** The step of the slider. It does not restrict the value. */
  step?: number
  required: boolean
  /** Whether the node runs without a value, so that the field may be empty. */
  optional?: boolean
  folder?: string
  placeholder?: string
}

export type ReadForm = { fields: FormField[] }

const MAX_FIELDS = 200
const TYPES: FieldType[] = ['string', 'integer', 'number', 'boolean']
const FITTING: Record<FieldType, WidgetName[]> = {
  string: ['text', 'textarea', 'image', 'video', 'audio', 'textfile', 'model', 'select'],
  integer: ['range', 'seed', 'select', 'text'],
  number: ['range', 'select', 'text'],
  boolean: ['toggle', 'select'],
}
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

const isOption = (value: unknown): value is Option => ['string', 'number', 'boolean'].includes(typeof value)
const limitOf = (value: unknown) => (isBigInteger(value) ? value : numberOf(value))
const numberOf = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/**
 * Reads the schema of a mini app. Its author is not trusted, so only listed features pass: no references, no patterns
 * (they can run forever), no markup. Null if it is no form. Texts are in `language` where they are translated.
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
  // A list of types counts as none.
  const type = TYPES.find((known) => known === schema.type) ?? (options && schema.type === undefined && 'string')
  if (!type) return null
  const uiSchema = isRecord(ui) ? ui : {}
  const uiOptions = isRecord(uiSchema['ui:options']) ? uiSchema['ui:options'] : {}
  const translations = isRecord(uiOptions.translations) ? uiOptions.translations[language] : undefined
  const translation = isRecord(translations) ? translations : {}
  const field: FormField = {
    name,
    title: textOf(translation.title) ?? textOf(schema.title) ?? name,
    type,
    widget: widgetFor(type, uiSchema['ui:widget'] ?? uiOptions.widget, options !== undefined),
    required,
  }
  const description = textOf(translation.description) ?? textOf(schema.description)
  if (description) field.description = description
  if (options) field.options = options
  const labels = translation.enumNames ?? uiSchema['ui:enumNames'] ?? uiOptions.enumNames ?? schema.enumNames
  if (options && Array.isArray(labels) && Array.isArray(schema.enum)) {
    // Labels follow the order of the schema's list, some of whose values may be dropped.
    const labelled = schema.enum.map((value, index) => [value, labels[index]] as const)
    field.labels = options.map((option) => textOf(labelled.find(([value]) => value === option)?.[1]) ?? String(option))
  }
  const step = numberOf(uiOptions.step)
  if (step !== undefined && step > 0) field.step = step
  const start = schema.default
  if (type === 'number' && isBigInteger(start)) field.default = Number(start)
  else if (isOption(start)) field.default = start
  for (const limit of ['minimum', 'maximum'] as const) {
    const value = limitOf(schema[limit])
    if (value !== undefined) field[limit] = value
  }
  // A seed of -1 means random and cannot be typed.
  if (field.widget === 'seed' && field.minimum === -1) field.minimum = 0
  const longest = numberOf(schema.maxLength)
  if (longest !== undefined) field.maxLength = longest
  if (uiOptions.optional === true || (!required && field.default === undefined)) field.optional = true
  const folder = textOf(uiOptions.folder)
  if (folder) field.folder = folder
  const placeholder = textOf(uiOptions.placeholder)
  if (placeholder) field.placeholder = placeholder
  return field
}

function widgetFor(type: FieldType, requested: unknown, hasOptions: boolean): WidgetName {
  const fitting = FITTING[type].find((widget) => widget === requested)
  if (fitting && (fitting !== 'select' || hasOptions)) return fitting
  if (hasOptions) return 'select'
  return type === 'boolean' ? 'toggle' : type === 'string' ? 'text' : 'range'
}

export type FormValues = Record<string, unknown>

export const defaultsOf = (form: ReadForm): FormValues =>
  Object.fromEntries(form.fields.filter((f) => f.default !== undefined).map((f) => [f.name, f.default]))

/** Keeps the values of a stored draft that still fit the form. Others get their default. */
export function restoreValues(form: ReadForm, draft: unknown): FormValues {
  const values = defaultsOf(form)
  if (!isRecord(draft)) return values
  for (const field of form.fields) {
    const value = fitting(field, draft[field.name])
    if (value !== undefined) values[field.name] = value
  }
  return values
}

/** The value converted for the field; undefined if it does not fit. */
function fitting(field: FormField, value: unknown): unknown {
  if (value === undefined || (value === null && field.widget === 'toggle')) return undefined
  // An emptied field stays empty.
  if (value === null) return isNumeric(field) || field.optional ? null : undefined
  if (field.widget === 'select' && field.options) return field.options.includes(value as Option) ? value : undefined
  if (!isNumeric(field)) return typeof value === field.type ? value : undefined
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const read = readNumber(String(value), field.type === 'integer')
  return 'value' in read ? read.value : undefined
}
