import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Job } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import type { ReadForm } from '@/shared/ui/schema-form/read-form'
import { useToast } from '@/shared/ui/toast'
import { ownFileQuery } from './api'
import { earlierValues, withFiles } from './earlier'
import type { Begin } from './use-begin'

/** Fills a form with what an earlier run was sent with. `busy` names the run whose files are being looked for. */
export function useEarlierValues(form: ReadForm, fill: (begin: Begin) => void) {
  const { t } = useTranslation('appUse')
  const client = useQueryClient()
  const toast = useToast()
  const text = useProblemText()
  const [busy, setBusy] = useState<string | null>(null)
  const asked = useRef(0)
  const use = async (job: Job) => {
    // Whoever presses at another run meanwhile wants the values of that one.
    asked.current += 1
    const turn = asked.current
    setBusy(job._id)
    const { values, files, whole } = earlierValues(form, job)
    try {
      const found = await Promise.all(files.map(async (id) => [id, await client.fetchQuery(ownFileQuery(id))] as const))
      if (turn !== asked.current) return
      const { gone, ...begin } = withFiles(form, values, new Map(found))
      fill(begin)
      if (gone > 0) toast.info(t('runs.filesGone', { count: gone }), t('runs.filesGoneText'))
      else toast.info(t(whole ? 'runs.filled' : 'runs.filledPart'))
    } catch (error) {
      if (turn === asked.current) toast.error(t('runs.fillFailed', { message: text(error) }), error)
    } finally {
      if (turn === asked.current) setBusy(null)
    }
  }
  return { busy, use: (job: Job) => void use(job) }
}
