import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearchParams } from 'react-router'
import { useUser } from '@/features/auth'
import { originQuery } from '@/features/jobs'
import type { Origin } from '@/shared/api/types'
import type { FormValues, ReadForm } from '@/shared/ui/schema-form/read-form'
import { toast } from '@/shared/ui/toast'
import type { KnownImage } from './draft'
import { hasShared, sharedValues } from './shared-values'

export type InitialValues = { values: FormValues; images: Record<string, KnownImage> }

export type PassedImage = { image: KnownImage }

const passedImage = (state: unknown): KnownImage | null => (state as PassedImage | null)?.image ?? null

/** The settings of a picture that the form still has. */
export function valuesOfOrigin(form: ReadForm, origin: Origin): InitialValues {
  const values: FormValues = {}
  for (const { field, value } of origin.settings) {
    if (field && value != null && form.fields.some((one) => one.name === field)) values[field] = value
  }
  const images = origin.uploads.map(({ _id: id, name, url, thumbnailUrl }) => [id, { id, name, url, thumbnailUrl }])
  return { values, images: Object.fromEntries(images) as InitialValues['images'] }
}

/** The form with this picture in its first image field. */
export function valuesWithImage(form: ReadForm, image: KnownImage): InitialValues | null {
  const field = form.fields.find((one) => one.widget === 'image')
  return field ? { values: { [field.name]: image.id }, images: { [image.id]: image } } : null
}

/** The values of a link; null if the form has none of its fields. */
function valuesOfLink(form: ReadForm, hash: string): InitialValues | null {
  const values = sharedValues(form, hash)
  return Object.keys(values).length > 0 ? { values, images: {} } : null
}

/** The values of a link, or else the passed picture. */
function localValues(form: ReadForm, shared: string | null, image: KnownImage | null): InitialValues | null {
  if (shared) return valuesOfLink(form, shared)
  return image ? valuesWithImage(form, image) : null
}

/**
 * The form's initial values: the settings of the picture in the address (`?from=`), the values of a link, or a passed
 * picture. `undefined` while loading, null if there are none. They are removed from the address, so that a reload keeps
 * later changes.
 */
export function useInitialValues(form: ReadForm | null): InitialValues | null | undefined {
  const { t } = useTranslation('miniApps')
  const user = useUser()
  const { state, hash } = useLocation()
  const [params, setParams] = useSearchParams()
  const [from] = useState(() => params.get('from'))
  const [image] = useState(() => passedImage(state))
  const [shared] = useState(() => (hasShared(hash) ? hash : null))
  const origin = useQuery({
    ...originQuery(from ?? '', Boolean(user)),
    enabled: from !== null && user !== undefined,
    retry: 1,
  })
  const known = from === null || origin.isFetched
  const initial =
    form && known ? ((origin.data && valuesOfOrigin(form, origin.data)) ?? localValues(form, shared, image)) : undefined
  const ready = initial !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the values are known.
  useEffect(() => {
    if (!ready || (!from && !image && !shared)) return
    if (from) {
      const isVisible = origin.data?.isTold
      const count = Object.keys(initial?.values ?? {}).length
      const isComplete = count === origin.data?.settings.filter((one) => one.value != null).length
      toast.info(t(isVisible && count > 0 ? (isComplete ? 'begun.done' : 'begun.part') : 'begun.kept'))
    } else if (initial) toast.info(t(shared ? 'begun.shared' : 'begun.image'))
    else if (shared) toast.info(t('begun.unread'))
    const rest = new URLSearchParams(params)
    rest.delete('from')
    setParams(rest, { replace: true, preventScrollReset: true })
  }, [ready])
  return initial
}
