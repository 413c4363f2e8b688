import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { UndoPublishHint } from '@/features/auth'
import type { Workflow } from '@/shared/api/types'
import { chunk } from '@/shared/lib/chunk'
import { Button } from '@/shared/ui/button'
import { DialogLoadError } from '@/shared/ui/dialog-load-error'
import { lazyPart } from '@/shared/ui/lazy-part'
import type { Actions } from '../use-workflow-actions'
import styles from './detail-actions.module.css'
import { LikeButton } from './like-button'

const CopyDialog = lazyPart(
  chunk(() => import('./copy-dialog')),
  DialogLoadError,
)

export function DetailActions({ workflow, actions }: { workflow: Workflow; actions: Actions }) {
  const { t } = useTranslation('workflows')
  const { t: common } = useTranslation()
  const [copying, setCopying] = useState(false)
  const { own } = actions
  const copy = () => actions.asUser(() => setCopying(true))
  return (
    <div className={styles.actions}>
      <Button tone="primary" size="large" icon="play" wide onClick={actions.run}>
        {t('actions.run')}
      </Button>
      <div className={styles.main}>
        {!own && <LikeButton workflow={workflow} onPress={actions.like} counted />}
        <Button icon="share" onClick={actions.share}>
          {t('actions.share')}
        </Button>
        <Button icon="workflow" onClick={actions.openEditor}>
          {t('actions.editor')}
        </Button>
        <Button icon="copy" onClick={copy}>
          {t('actions.copy')}
        </Button>
        <Button icon="download" onClick={actions.save}>
          {t('actions.download')}
        </Button>
        {!own && (
          <Button className={styles.last} tone="ghost" icon="flag" onClick={actions.report}>
            {common('report')}
          </Button>
        )}
      </div>
      {(own || actions.admin) && (
        <div className={styles.row}>
          <Button tone="outline" icon="edit" onClick={actions.edit}>
            {t(own ? 'actions.edit' : 'actions.forceEdit')}
          </Button>
          <Button tone="outline" icon="bolt" onClick={actions.api}>
            {t(actions.admin ? 'actions.apiSetup' : 'actions.api')}
          </Button>
          {workflow.isPrivate ? (
            <Button
              tone={own ? 'primary' : 'outline'}
              icon="upload"
              busy={actions.busy}
              onClick={own ? actions.publish : () => actions.setPrivate(false)}
            >
              {t('actions.publish')}
            </Button>
          ) : (
            <UndoPublishHint stays={t('staysPublic')}>
              <Button tone="outline" icon="lock" busy={actions.busy} onClick={actions.hide}>
                {t('actions.unpublish')}
              </Button>
            </UndoPublishHint>
          )}
          <Button tone="danger" icon="trash" busy={actions.busy} onClick={actions.drop}>
            {t('actions.delete')}
          </Button>
        </div>
      )}
      {actions.admin && (
        <div className={styles.row}>
          <Button
            tone={workflow.isNsfw ? 'danger' : 'plain'}
            size="small"
            aria-pressed={workflow.isNsfw}
            onClick={() => actions.setNsfw(!workflow.isNsfw)}
          >
            {t(workflow.isNsfw ? 'nsfw.mark' : 'nsfw.safe')}
          </Button>
          <Button
            size="small"
            icon="star"
            aria-pressed={workflow.isBasic}
            onClick={() => actions.setBasic(!workflow.isBasic)}
          >
            {t(workflow.isBasic ? 'actions.notBasic' : 'actions.basic')}
          </Button>
        </div>
      )}
      {copying && (
        <Suspense fallback={null}>
          <CopyDialog workflow={workflow} onClose={() => setCopying(false)} />
        </Suspense>
      )}
    </div>
  )
}
