import type {
  ErrorSchema,
  ErrorTransformer,
  RJSFSchema,
  RJSFValidationError,
  UiSchema,
  ValidationData,
  ValidatorType,
} from '@rjsf/utils'
import { brokenRule } from './check-values'
import type { FormField, FormValues } from './read-form'

/**
 * Checks forms by their fields, not by their schema: numbers are what was typed until they are read, and whole numbers may
 * be larger than a schema's validator takes. It compiles no code, which the content security policy forbids.
 */
class FieldValidator implements ValidatorType<FormValues> {
  rawValidation<Result>(): { errors?: Result[] } {
    return { errors: [] }
  }

  isValid(): boolean {
    return true
  }

  validateFormData(
    formData: FormValues | undefined,
    _schema: RJSFSchema,
    _custom?: unknown,
    transform?: ErrorTransformer<FormValues>,
    uiSchema?: UiSchema<FormValues>,
  ): ValidationData<FormValues> {
    const found = fieldsOf(uiSchema).flatMap((field): RJSFValidationError[] => {
      const rule = brokenRule(field, formData?.[field.name])
      return rule ? [{ name: rule, property: field.name, message: rule, stack: `${field.name} ${rule}` }] : []
    })
    const errors = transform ? transform(found, uiSchema) : found
    return { errors, errorSchema: errorSchemaOf(errors) }
  }
}

const fieldsOf = (uiSchema: UiSchema<FormValues> = {}): FormField[] =>
  Object.values(uiSchema as Record<string, { 'ui:options'?: { field?: FormField } }>).flatMap(
    (entry) => entry?.['ui:options']?.field ?? [],
  )

/** Keyed by the whole field name: names of mini-app fields contain dots, which a path would split. */
function errorSchemaOf(errors: RJSFValidationError[]): ErrorSchema<FormValues> {
  const entries = errors.map(({ property, message }) => [property, { __errors: [message] }])
  return Object.fromEntries(entries) as ErrorSchema<FormValues>
}

export const validator: ValidatorType<FormValues> = new FieldValidator()
