import { useTranslation } from 'react-i18next'
import { PlanError, useCanUnpublish } from '@/features/auth'
import type { Workflow } from '@/shared/api/types'
import { Button } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { Point, Points } from '@/shared/ui/points'
import type { Draft } from '../model'
import styles from './dialogs.module.css'

type PublishQuestionProps = {
  workflow: Workflow
  draft: Draft
  open: boolean
  busy: boolean
  onPublish: () => void
  onClose: () => void
}

/** Asks before publishing: what becomes visible, and whether it can be undone. */
export function PublishQuestion({ workflow, draft, open, busy, onPublish, onClose }: PublishQuestionProps) {
  const { t } = useTranslation('workflows')
  const { t: common } = useTranslation()
  const hiding = useCanUnpublish()
  const decided = hiding.is === 'allowed' || hiding.is === 'refused'
  return (
    <Dialog open={open} onClose={onClose} title={t('publishing.title', { name: draft.name.trim() })} width={520}>
      <div className={styles.question}>
        <Points>
          <Point
            icon="eye"
            text={t('publishing.seen', { count: draft.pictures.length, name: workflow.user?.name ?? '' })}
          />
          <Point icon="workflow" text={t('publishing.graph')} />
          {workflow.workflowApi && <Point icon="bolt" text={t('publishing.app')} />}
          {hiding.is === 'allowed' && <Point icon="lock" text={t('publishing.back')} />}
          {hiding.is === 'refused' && (
            <Point icon="warning" warn text={t('publishing.noBack', { plan: hiding.plan })} />
          )}
        </Points>
        {hiding.is === 'failed' && <PlanError onRetry={hiding.retry} />}
        <div className={styles.actions}>
          <Button tone="ghost" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button tone="primary" icon="upload" busy={busy} disabled={!decided} onClick={onPublish}>
            {t('actions.publish')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
