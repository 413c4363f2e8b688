import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { defaultsOf, type FormValues, type ReadForm, restoreValues } from '@/shared/ui/schema-form/read-form'
import { toast } from '@/shared/ui/toast'
import { type Draft, dropDraft, type KnownImage, readDraft, writeDraft } from './draft'
import { fillFromText } from './fill-from-text'
import type { InitialValues } from './use-initial-values'

/**
 * The values of one mini app's form, stored in the browser while typing. `wish` is a sentence, and `begin` are values,
 * to start with; unknown values are dropped.
 */
export function useAppForm(
  app: string,
  form: ReadForm,
  wish: string | null = null,
  begin: InitialValues | null = null,
) {
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
  const fill = useCallback(({ values, images }: InitialValues) => {
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

/** The sentence that led to this app. It is removed from the address, so that a reload keeps later changes. */
export function useWishParam(form: ReadForm): string | null {
  const { t } = useTranslation('miniApps')
  const [params, setParams] = useSearchParams()
  const [wish] = useState(() => params.get('text'))
  useEffect(() => {
    if (!params.has('text')) return
    if (wish && Object.keys(fillFromText(form, wish)).length === 0) toast.info(t('wish.unused'))
    const rest = new URLSearchParams(params)
    rest.delete('text')
    setParams(rest, { replace: true, preventScrollReset: true })
  }, [params, setParams, wish, form, t])
  return wish
}
