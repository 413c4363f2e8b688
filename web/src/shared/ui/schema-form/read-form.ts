import type { RJSFSchema, UiSchema } from '@rjsf/utils'

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
type Limits = { minimum?: number; maximum?: number; multipleOf?: number; minLength?: number; maxLength?: number }

/** One field of a form, cleaned: only what this application shows and checks is left of the schema. */
export type FormField = Limits & {
  name: string
  title: string
  description?: string
  type: FieldType
  widget: WidgetName
  default?: string | number | boolean
  /** A seed whose default is the server's to fill in, because no number here holds it. */
  keepsSeed?: boolean
  options?: (string | number)[]
  /** What the options are called, one each. */
  labels?: string[]
  /** How far one move of a slider goes. It shapes the control, and refuses no value. */
  step?: number
  required: boolean
  folder?: string
  placeholder?: string
}

export type ReadForm = { fields: FormField[]; schema: RJSFSchema; uiSchema: UiSchema }

const MAX_FIELDS = 200
const TYPES: FieldType[] = ['string', 'integer', 'number', 'boolean']
const FITTING: Record<FieldType, WidgetName[]> = {
  string: ['text', 'textarea', 'image', 'video', 'audio', 'model', 'select'],
  integer: ['range', 'seed', 'select', 'text'],
  number: ['range', 'select', 'text'],
  boolean: ['toggle'],
}
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
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
  return { fields, schema: schemaOf(fields), uiSchema: uiSchemaOf(fields) }
}

function inOrder(names: string[], order: unknown): string[] {
  if (!Array.isArray(order)) return names
  const first = order.filter((name): name is string => names.includes(name as string))
  return [...new Set([...first, ...names])]
}

function readField(name: string, schema: unknown, ui: unknown, required: boolean, language: string): FormField | null {
  if (!isRecord(schema)) return null
  const type = TYPES.find((known) => known === schema.type)
  if (!type) return null
  const uiSchema = isRecord(ui) ? ui : {}
  const wishes = isRecord(uiSchema['ui:options']) ? uiSchema['ui:options'] : {}
  const translations = isRecord(wishes.translations) ? wishes.translations[language] : undefined
  const words = isRecord(translations) ? translations : {}
  const options = Array.isArray(schema.enum)
    ? schema.enum.filter((v): v is string | number => typeof v === 'string' || typeof v === 'number')
    : undefined
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
  if (field.widget === 'seed' && typeof start === 'number' && start > Number.MAX_SAFE_INTEGER) field.keepsSeed = true
  else if (typeof start === 'string' || typeof start === 'number' || typeof start === 'boolean') field.default = start
  for (const limit of ['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength'] as const) {
    const value = numberOf(schema[limit])
    if (value !== undefined && (limit !== 'multipleOf' || value > 0)) field[limit] = value
  }
  // A node may take larger seeds than a number here holds: what is typed is refused before it is rounded.
  if (type === 'integer' && field.maximum !== undefined) {
    field.maximum = Math.min(field.maximum, Number.MAX_SAFE_INTEGER)
  }
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

function schemaOf(fields: FormField[]): RJSFSchema {
  return {
    type: 'object',
    required: fields.filter((f) => f.required).map((f) => f.name),
    properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)])),
  }
}

function propertyOf(field: FormField): RJSFSchema {
  const { type, title, description, options, minimum, maximum, multipleOf, minLength, maxLength } = field
  // A seed is -1 or a number of the node's range; the range alone would refuse -1.
  const lowest = field.widget === 'seed' ? -1 : minimum
  return {
    type,
    title,
    ...(description !== undefined && { description }),
    ...(field.default !== undefined && { default: field.default }),
    // The list of models comes from the workers and may be newer than the schema.
    ...(options && field.widget !== 'model' && { enum: options }),
    ...(lowest !== undefined && { minimum: lowest }),
    ...(maximum !== undefined && { maximum }),
    ...(multipleOf !== undefined && { multipleOf }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
  }
}

function uiSchemaOf(fields: FormField[]): UiSchema {
  const entries = fields.map((field) => [field.name, { 'ui:widget': field.widget, 'ui:options': { field } }])
  return { 'ui:order': fields.map((f) => f.name), ...Object.fromEntries(entries) }
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
    const value = draft[field.name]
    if (value === undefined) continue
    const fits =
      field.type === 'string' || field.type === 'boolean' ? typeof value === field.type : typeof value === 'number'
    const listed = field.widget !== 'select' || !field.options || field.options.includes(value as string | number)
    if (fits && listed) values[field.name] = value
  }
  return values
}
