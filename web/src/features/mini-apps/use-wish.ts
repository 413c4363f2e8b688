import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { ReadForm } from '@/shared/ui/schema-form/read-form'
import { useToast } from '@/shared/ui/toast'
import { fillFromText } from './wish'

/** The sentence that led to this app, once: it leaves the address, so that a reload keeps what was typed since. */
export function useWish(form: ReadForm): string | null {
  const { t } = useTranslation('miniApps')
  const toast = useToast()
  const [params, setParams] = useSearchParams()
  const [wish] = useState(() => params.get('text'))
  useEffect(() => {
    if (!params.has('text')) return
    if (wish && Object.keys(fillFromText(form, wish)).length === 0) toast.info(t('wish.unused'))
    const rest = new URLSearchParams(params)
    rest.delete('text')
    setParams(rest, { replace: true, preventScrollReset: true })
  }, [params, setParams, wish, form, t, toast])
  return wish
}
