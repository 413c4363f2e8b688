import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { Button } from '@/shared/ui/button'
import { useConfirm } from '@/shared/ui/dialog'
import { ProgressBar } from '@/shared/ui/progress-bar'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { batchQuery, useCancelBatch } from '../api'
import styles from './batch-head.module.css'

const REFRESH_MS = 4000

/** The header of a batch: its progress and a cancel button. */
export function BatchHead({ id, alone }: { id: string; alone: boolean }) {
  const { t } = useTranslation('jobs')
  const confirm = useConfirm()
  const toasts = useResultToasts()
  const cancel = useCancelBatch()
  const batch = useQuery({
    ...batchQuery(id),
    refetchInterval: (query) => (query.state.data?.active ? REFRESH_MS : false),
  }).data
  const stop = async () => {
    const count = batch?.active ?? 0
    const question = {
      title: t('batch.cancelTitle', { count }),
      text: t('batch.cancelText'),
      action: t('batch.cancelAction', { count }),
      keep: t('batch.keep'),
    }
    if (!(await confirm({ ...question, danger: true }))) return
    cancel.mutate(
      id,
      toasts(t('batch.canceled'), (message) => t('batch.cancelFailed', { message })),
    )
  }
  if (!batch) return <p className={styles.title}>{t('batch.only')}</p>
  const { total, active } = batch
  const done = total - active
  return (
    <div className={styles.head}>
      <div className={styles.words}>
        <p className={styles.title}>{t('batch.title', { count: total })}</p>
        <p className={styles.facts}>
          <span>{t('batch.done', { done, total })}</span>
          {alone ? (
            <Link to={paths.jobs()}>{t('batch.all')}</Link>
          ) : (
            <Link to={paths.batch(id)}>{t('batch.open')}</Link>
          )}
        </p>
      </div>
      {active > 0 && (
        <Button
          size="small"
          tone="outline"
          busy={cancel.isPending || Boolean(batch.cancelRequestedAt)}
          onClick={() => void stop()}
        >
          {t('batch.cancel')}
        </Button>
      )}
      {active > 0 && <ProgressBar share={total > 0 ? done / total : 0} label={t('batch.done', { done, total })} />}
    </div>
  )
}
