import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearchParams } from 'react-router'
import { useUser } from '@/features/auth'
import { originQuery } from '@/features/gallery'
import type { Origin } from '@/shared/api/types'
import type { FormValues, ReadForm } from '@/shared/ui/schema-form/read-form'
import { useToast } from '@/shared/ui/toast'
import type { KnownImage } from './draft'
import { hasShared, sharedValues } from './shared-values'

/** What an address, or the page before, fills the form with. */
export type Begin = { values: FormValues; images: Record<string, KnownImage> }

/** A picture that was chosen elsewhere to be put in. */
export type Brought = { image: KnownImage }

const broughtBy = (state: unknown): KnownImage | null => (state as Brought | null)?.image ?? null

/** The settings of a picture's making that the form still has. */
export function beginOf(form: ReadForm, origin: Origin): Begin {
  const values: FormValues = {}
  for (const { field, value } of origin.settings) {
    if (field && value != null && form.fields.some((one) => one.name === field)) values[field] = value
  }
  const images = origin.uploads.map(({ _id: id, name, url, thumbnailUrl }) => [id, { id, name, url, thumbnailUrl }])
  return { values, images: Object.fromEntries(images) as Begin['images'] }
}

/** The form with this picture in its first place for one. */
export function beginWith(form: ReadForm, image: KnownImage): Begin | null {
  const field = form.fields.find((one) => one.widget === 'image')
  return field ? { values: { [field.name]: image.id }, images: { [image.id]: image } } : null
}

/** What a link with values fills the form with; nothing where the form has none of its fields. */
export function beginShared(form: ReadForm, hash: string): Begin | null {
  const values = sharedValues(form, hash)
  return Object.keys(values).length > 0 ? { values, images: {} } : null
}

/** Without a picture whose making is asked for: a link's values, or else what was brought. */
function beginHere(form: ReadForm, shared: string | null, image: KnownImage | null): Begin | null {
  if (shared) return beginShared(form, shared)
  return image ? beginWith(form, image) : null
}

/**
 * What the form begins with: the settings of the picture that the address names (`?from=`), the values that it carries
 * itself, or a picture that was brought here. `undefined` while it is not known, null where nothing is. The address forgets it, so that a reload keeps what
 * was changed since.
 */
export function useBegin(form: ReadForm | null): Begin | null | undefined {
  const { t } = useTranslation('miniApps')
  const toast = useToast()
  const user = useUser()
  const { state, hash } = useLocation()
  const [params, setParams] = useSearchParams()
  const [from] = useState(() => params.get('from'))
  const [image] = useState(() => broughtBy(state))
  const [shared] = useState(() => (hasShared(hash) ? hash : null))
  const origin = useQuery({
    ...originQuery(from ?? '', Boolean(user)),
    enabled: from !== null && user !== undefined,
    retry: 1,
  })
  const known = from === null || origin.isFetched
  const begun =
    form && known ? ((origin.data && beginOf(form, origin.data)) ?? beginHere(form, shared, image)) : undefined
  const ready = begun !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once, when it is known what the form begins with.
  useEffect(() => {
    if (!ready || (!from && !image && !shared)) return
    if (from) {
      const told = origin.data?.isTold
      const count = Object.keys(begun?.values ?? {}).length
      const whole = count === origin.data?.settings.filter((one) => one.value != null).length
      toast.info(t(told && count > 0 ? (whole ? 'begun.done' : 'begun.part') : 'begun.kept'))
    } else if (begun) toast.info(t(shared ? 'begun.shared' : 'begun.image'))
    else if (shared) toast.info(t('begun.unread'))
    const rest = new URLSearchParams(params)
    rest.delete('from')
    setParams(rest, { replace: true, preventScrollReset: true })
  }, [ready])
  return begun
}
