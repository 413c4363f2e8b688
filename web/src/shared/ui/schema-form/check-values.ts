import { compareNumbers } from '@/shared/lib/big-integers'
import type { FormField, FormValues, Option } from './read-form'
import { type NumberProblem, readNumber } from './read-number'

/** The rule that a value violates. */
export type Rule = NumberProblem | 'required' | 'minimum' | 'maximum' | 'enum' | 'text' | 'maxLength'

export const isNumeric = ({ type, widget }: FormField): boolean =>
  (type === 'integer' || type === 'number') && widget !== 'select'

const isFreeText = ({ widget, type }: FormField) => type === 'string' && (widget === 'text' || widget === 'textarea')

const isOffered = ({ widget, options }: FormField, value: unknown) =>
  widget === 'select' && options?.includes(value as Option) === true

/** Whether a field has no value. The empty string is a value of texts, and of lists that offer it. */
export const isEmpty = (field: FormField, value: unknown): boolean =>
  value === undefined || value === null || (value === '' && !isFreeText(field) && !isOffered(field, value))

/** The rule that a field's value violates; null if it is valid. */
export function brokenRule(field: FormField, value: unknown): Rule | null {
  if (isFreeText(field)) return brokenByText(field, value ?? '')
  if (field.widget === 'toggle') return null
  if (isEmpty(field, value)) {
    if (field.optional) return null
    return field.required || !isNumeric(field) ? 'required' : field.type === 'integer' ? 'integer' : 'number'
  }
  if (field.widget === 'select' && field.options) return isOffered(field, value) ? null : 'enum'
  return isNumeric(field) ? brokenByNumber(field, value) : typeof value === 'string' ? null : 'text'
}

function brokenByText({ required, maxLength }: FormField, value: unknown): Rule | null {
  if (typeof value !== 'string') return 'text'
  if (required && value === '') return 'required'
  return maxLength !== undefined && [...value].length > maxLength ? 'maxLength' : null
}

function brokenByNumber(field: FormField, value: unknown): Rule | null {
  const read = readNumber(String(value), field.type === 'integer')
  if ('problem' in read) return read.problem
  // A seed is -1 or within the node's range.
  if (field.widget === 'seed' && read.value === -1) return null
  if (field.minimum !== undefined && compareNumbers(read.value, field.minimum) < 0) return 'minimum'
  return field.maximum !== undefined && compareNumbers(read.value, field.maximum) > 0 ? 'maximum' : null
}

/** The values of a run, as the form shows them. `null` is an emptied field whose default must not be used. */
export function valuesToSend(fields: FormField[], values: FormValues): FormValues {
  const sent: FormValues = {}
  for (const field of fields) {
    const value = values[field.name]
    if (!isEmpty(field, value)) sent[field.name] = value
    else if (isFreeText(field) && field.default !== undefined) sent[field.name] = ''
    else if (field.widget === 'toggle') sent[field.name] = false
    else if (field.default !== undefined) sent[field.name] = null
  }
  return sent
}
