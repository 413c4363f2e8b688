import { Validator } from '@cfworker/json-schema'
import type {
  ErrorSchema,
  ErrorTransformer,
  RJSFSchema,
  RJSFValidationError,
  UiSchema,
  ValidationData,
  ValidatorType,
} from '@rjsf/utils'
import type { FormValues } from './read-form'

/** Keywords that only pass on the errors of others. */
const PASSING = new Set([
  'properties',
  'items',
  'additionalProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  '$ref',
])

/**
 * Checks forms without compiling code: the usual validator builds functions from strings, which our content security
 * policy forbids, and then a form silently cannot be sent.
 */
class InterpretingValidator implements ValidatorType<FormValues> {
  private readonly known = new WeakMap<object, Validator>()

  private validator(schema: RJSFSchema): Validator {
    const ready = this.known.get(schema) ?? new Validator(schema as object, '2020-12', false)
    this.known.set(schema, ready)
    return ready
  }

  rawValidation<Result>(schema: RJSFSchema, formData?: FormValues): { errors?: Result[] } {
    return { errors: this.validator(schema).validate(withoutUndefined(formData)).errors as Result[] }
  }

  isValid(schema: RJSFSchema, formData: FormValues | undefined): boolean {
    return this.validator(schema).validate(withoutUndefined(formData)).valid
  }

  validateFormData(
    formData: FormValues | undefined,
    schema: RJSFSchema,
    _custom?: unknown,
    transform?: ErrorTransformer<FormValues>,
    uiSchema?: UiSchema<FormValues>,
  ): ValidationData<FormValues> {
    const found: RJSFValidationError[] = []
    for (const error of this.validator(schema).validate(withoutUndefined(formData)).errors) {
      if (PASSING.has(error.keyword)) continue
      const field = error.keyword === 'required' ? missingName(error.error) : fieldOf(error.instanceLocation)
      if (field === undefined) continue
      found.push({ name: error.keyword, property: field, message: error.error, stack: `${field} ${error.error}` })
    }
    const errors = transform ? transform(found, uiSchema) : found
    return { errors, errorSchema: errorSchemaOf(errors) }
  }
}

const withoutUndefined = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? {}))

/** `#/seed` → `seed`; the parts of a JSON pointer escape `~` and `/`, and the library encodes them for addresses. */
function fieldOf(location: string): string | undefined {
  const first = location.split('/')[1]
  return first === undefined ? undefined : decodeURIComponent(first).replaceAll('~1', '/').replaceAll('~0', '~')
}

const missingName = (message: string): string | undefined => /property "(.*)"/s.exec(message)?.[1]

/** Keyed by the whole field name: names of mini-app fields contain dots, which a path would split. */
function errorSchemaOf(errors: RJSFValidationError[]): ErrorSchema<FormValues> {
  const schema: Record<string, { __errors: string[] }> = {}
  for (const { property, message } of errors) {
    if (!property || !message) continue
    const entry = schema[property] ?? { __errors: [] }
    // One sentence per field is enough: the first rule that fails is the one to mend.
    if (entry.__errors.length === 0) entry.__errors.push(message)
    schema[property] = entry
  }
  return schema as ErrorSchema<FormValues>
}

export const validator: ValidatorType<FormValues> = new InterpretingValidator()
