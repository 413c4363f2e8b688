import { useTranslation } from 'react-i18next'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { useConfirm } from '@/shared/ui/dialog'
import { useToast } from '@/shared/ui/toast'
import { useCancelAll } from '../api'

/** The way out for somebody with many jobs under way, batches among them or not. */
export function CancelAll() {
  const { t } = useTranslation('jobs')
  const confirm = useConfirm()
  const toast = useToast()
  const text = useProblemText()
  const cancel = useCancelAll()
  const stop = async () => {
    const question = {
      title: t('cancelAll.title'),
      text: t('batch.cancelText'),
      action: t('cancelAll.action'),
      keep: t('batch.keep'),
    }
    if (!(await confirm({ ...question, danger: true }))) return
    cancel.mutate(undefined, {
      onSuccess: () => toast.success(t('cancelAll.done')),
      onError: (error) => toast.error(t('cancelAll.failed', { message: text(error) }), error),
    })
  }
  return (
    <Button size="small" tone="outline" icon="close" busy={cancel.isPending} onClick={() => void stop()}>
      {t('cancelAll.action')}
    </Button>
  )
}
