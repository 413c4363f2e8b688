import { useCallback, useEffect, useState } from 'react'
import { defaultsOf, type FormValues, type ReadForm, restoreValues } from '@/shared/ui/schema-form/read-form'
import { type Draft, dropDraft, type KnownImage, readDraft, writeDraft } from './draft'
import type { Begin } from './use-begin'
import { fillFromText } from './wish'

/**
 * The values of one mini app's form, kept in the browser while they are typed. `wish` is a sentence to begin with, and
 * `begin` values: of them stays what the form takes.
 */
export function useAppForm(app: string, form: ReadForm, wish: string | null = null, begin: Begin | null = null) {
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = readDraft(app)
    const values = restoreValues(form, begin ? { ...kept?.values, ...begin.values } : kept?.values)
    return {
      values: wish ? { ...values, ...fillFromText(form, wish) } : values,
      images: { ...kept?.images, ...begin?.images },
    }
  })
  const [touched, setTouched] = useState(wish !== null || begin !== null)
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
  const fill = useCallback(({ values, images }: Begin) => {
    setTouched(true)
    setDraft((before) => ({ values, images: { ...before.images, ...images } }))
  }, [])
  const reset = useCallback(() => {
    setTouched(false)
    dropDraft(app)
    setDraft({ values: defaultsOf(form), images: {} })
  }, [app, form])
  return { values: draft.values, images: draft.images, setValues, setValue, rememberImage, fill, reset }
}
