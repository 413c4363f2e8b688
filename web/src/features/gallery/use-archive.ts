import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '@/shared/ui/toast'
import { downloadArchive } from './archive'

/** Downloads pictures as one ZIP file. `bytes` is what has arrived; null when nothing is being downloaded. */
export function useArchive(ids: string[]) {
  const { t } = useTranslation('gallery')
  const [bytes, setBytes] = useState<number | null>(null)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const start = () => {
    const controller = new AbortController()
    abort.current = controller
    setBytes(0)
    downloadArchive(ids, setBytes, controller.signal)
      .then((done) => done && toast.success(t('selection.downloaded', { count: ids.length })))
      .catch((error: unknown) => {
        if (!controller.signal.aborted) toast.error(t('downloadFailed'), error)
      })
      .finally(() => setBytes(null))
  }
  return { bytes, start, cancel: () => abort.current?.abort() }
}
