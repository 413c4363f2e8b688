import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useRunPrompt } from '@/features/jobs'
import type { OutputAsset } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { randomId } from '@/shared/lib/random-id'
import { Button } from '@/shared/ui/button'
import { useToast } from '@/shared/ui/toast'
import { pictureGraphQuery } from '../api'

/** Runs a prompt of one's own once more, as it was sent. */
export default function RunPrompt({ picture }: { picture: OutputAsset }) {
  const { t } = useTranslation('gallery')
  const { t: apps } = useTranslation('miniApps')
  const client = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const text = useProblemText()
  const run = useRunPrompt()
  const failed = (error: unknown) => toast.error(apps('jobCreateError', { message: text(error) }), error)
  const start = async () => {
    try {
      const { graph } = await client.fetchQuery(pictureGraphQuery(picture._id, true))
      const extraData = graph.workflow ? { extra_pnginfo: { workflow: graph.workflow } } : undefined
      run.mutate(
        { prompt: graph.output ?? {}, ...(extraData && { extraData }), key: randomId() },
        {
          onSuccess: ({ _id }) => {
            toast.success(apps('jobCreated', { id: _id }), apps('jobCreatedText'))
            void navigate(paths.job(_id))
          },
          onError: failed,
        },
      )
    } catch (error) {
      failed(error)
    }
  }
  return (
    <Button tone="outline" icon="bolt" busy={run.isPending} onClick={() => void start()}>
      {t('origin.runPrompt')}
    </Button>
  )
}
