import { useCallback, useEffect, useState } from 'react'
import { defaultsOf, type FormValues, type ReadForm, restoreValues } from '@/shared/ui/schema-form/read-form'
import { type Draft, dropDraft, type KnownImage, readDraft, writeDraft } from './draft'

/** The values of one mini app's form, kept in the browser while they are typed. */
export function useAppForm(app: string, form: ReadForm) {
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = readDraft(app)
    return { values: restoreValues(form, kept?.values), images: kept?.images ?? {} }
  })
  const [touched, setTouched] = useState(false)
  useEffect(() => {
    if (touched) writeDraft(app, draft)
  }, [app, draft, touched])

  const setValues = useCallback((values: FormValues) => {
    setTouched(true)
    setDraft((before) => ({ ...before, values }))
  }, [])
  const setValue = useCallback((name: string, value: unknown) => {
    setTouched(true)
    setDraft((before) => ({ ...before, values: { ...before.values, [name]: value } }))
  }, [])
  const rememberImage = useCallback((image: KnownImage) => {
    setTouched(true)
    setDraft((before) => ({ ...before, images: { ...before.images, [image.id]: image } }))
  }, [])
  const reset = useCallback(() => {
    setTouched(false)
    dropDraft(app)
    setDraft({ values: defaultsOf(form), images: {} })
  }, [app, form])
  return { values: draft.values, images: draft.images, setValues, setValue, rememberImage, reset }
}
