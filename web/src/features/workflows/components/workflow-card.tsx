import { memo, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Workflow } from '@/shared/api/types'
import { chunk } from '@/shared/lib/chunk'
import { formatDate } from '@/shared/lib/format'
import { CARD_SLOTS, pictureOf } from '@/shared/lib/media'
import { paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { useTranslated } from '@/shared/lib/translated'
import { Button } from '@/shared/ui/button'
import { DialogLoadError } from '@/shared/ui/dialog-load-error'
import { Icon } from '@/shared/ui/icon'
import { lazyPart } from '@/shared/ui/lazy-part'
import { Menu } from '@/shared/ui/menu'
import { NsfwBlur } from '@/shared/ui/nsfw-overlay'
import { Picture } from '@/shared/ui/picture'
import { coverOf } from '../model'
import { type Actions, useWorkflowActions } from '../use-workflow-actions'
import { Counts } from './counts'
import { LikeButton } from './like-button'
import { useWorkflowMenu } from './use-workflow-menu'
import styles from './workflow-card.module.css'

const CopyDialog = lazyPart(
  chunk(() => import('./copy-dialog')),
  DialogLoadError,
)

/** `edited` shows the edit date and lets the owner publish. */
export type CardMode = 'plain' | 'edited'

type CardProps = { workflow: Workflow; mode?: CardMode; eager?: boolean }

export const WorkflowCard = memo(function WorkflowCard({ workflow, mode = 'plain', eager = false }: CardProps) {
  const { t } = useTranslation('workflows')
  const nameOf = usePersonName()
  const { name } = useTranslated()(workflow)
  const actions = useWorkflowActions(workflow)
  const [copying, setCopying] = useState(false)
  const items = useWorkflowMenu(workflow, actions, () => actions.asUser(() => setCopying(true)))
  const cover = coverOf(workflow)
  const showsEdit = mode === 'edited' || actions.adminMode
  return (
    <article className={styles.card}>
      <div className={styles.stage}>
        <NsfwBlur nsfw={workflow.isNsfw}>
          <Picture className={styles.picture} {...pictureOf(cover)} alt="" ratio={1} slots={CARD_SLOTS} eager={eager} />
        </NsfwBlur>
        <Badges workflow={workflow} />
        <Overlay workflow={workflow} actions={actions} mode={mode} />
        <div className={styles.menu}>
          <Menu
            label={t('menuOf', { name })}
            className={styles.dots}
            trigger={<Icon name="dots" size={20} />}
            items={items}
          />
        </div>
      </div>
      <div className={styles.words}>
        <h3 className={styles.name}>
          <Link className={styles.link} to={actions.detail()} title={name}>
            {name}
          </Link>
        </h3>
        <div className={styles.meta}>
          <span className={styles.author}>
            {actions.adminMode && workflow.user && (
              <Link
                className={styles.by}
                to={paths.admin.workflows(workflow.user._id)}
                title={t('admin.onlyOf', { name: nameOf(workflow.user) })}
              >
                {nameOf(workflow.user)}
              </Link>
            )}
            <span>{showsEdit ? t('editedAt', { date: formatDate(workflow.editedAt) }) : nameOf(workflow.user)}</span>
          </span>
          <Counts workflow={workflow} />
        </div>
      </div>
      {actions.adminMode && <AdminToggles workflow={workflow} actions={actions} />}
      {copying && (
        <Suspense fallback={null}>
          <CopyDialog workflow={workflow} onClose={() => setCopying(false)} />
        </Suspense>
      )}
    </article>
  )
})

function Badges({ workflow }: { workflow: Workflow }) {
  const { t } = useTranslation('workflows')
  const { t: apps } = useTranslation('miniApps')
  if (!workflow.workflowApi && !workflow.isPrivate && !workflow.isNsfw) return null
  return (
    <div className={styles.marks}>
      {workflow.isPrivate && (
        <span className={styles.mark}>
          <Icon name="lock" size={12} />
          {t('private')}
        </span>
      )}
      {workflow.workflowApi && (
        <span className={styles.mark}>
          <Icon name="bolt" size={12} />
          {t('easyApp')}
        </span>
      )}
      {workflow.workflowApiWorks === false && (
        <span className={styles.mark}>
          <Icon name="clock" size={12} />
          {apps('works.not')}
        </span>
      )}
      {workflow.isNsfw && <span className={styles.mark}>{t('nsfw.mark')}</span>}
    </div>
  )
}

/** Shown on hover or focus; the menu has the same actions. */
function Overlay({ workflow, actions, mode }: { workflow: Workflow; actions: Actions; mode: CardMode }) {
  const { t } = useTranslation('workflows')
  const { own, admin } = actions
  return (
    <div className={styles.overlay}>
      <div className={styles.quick}>
        {!own && <LikeButton workflow={workflow} onPress={actions.like} className={styles.round as string} />}
        <Button
          className={styles.round as string}
          icon="share"
          aria-label={t('actions.share')}
          title={t('actions.share')}
          onClick={actions.share}
        />
        {own && mode === 'edited' && workflow.isPrivate && (
          <Button
            className={styles.round as string}
            icon="upload"
            aria-label={t('actions.upload')}
            title={t('actions.upload')}
            onClick={actions.publish}
          />
        )}
        {admin && (
          <Button className={styles.round as string} title={t('actions.apiSetup')} onClick={actions.api}>
            {t('actions.api')}
          </Button>
        )}
        {admin && !own && (
          <Button
            className={styles.round as string}
            icon="edit"
            aria-label={t('actions.forceEdit')}
            title={t('actions.forceEdit')}
            onClick={actions.edit}
          />
        )}
      </div>
      <Button tone="primary" size="small" icon="play" onClick={actions.run}>
        {t('actions.run')}
      </Button>
    </div>
  )
}

/** Switches for visibility and NSFW. */
function AdminToggles({ workflow, actions }: { workflow: Workflow; actions: Actions }) {
  const { t } = useTranslation('workflows')
  const { isPrivate, isNsfw } = workflow
  return (
    <div className={styles.toggles}>
      <Button
        size="small"
        tone={isPrivate ? 'outline' : 'plain'}
        icon={isPrivate ? 'eyeOff' : 'eye'}
        aria-pressed={!isPrivate}
        disabled={actions.busy}
        onClick={() => actions.setPrivate(!isPrivate)}
      >
        {t(isPrivate ? 'private' : 'public')}
      </Button>
      <Button
        size="small"
        tone={isNsfw ? 'danger' : 'plain'}
        aria-pressed={isNsfw}
        disabled={actions.busy}
        onClick={() => actions.setNsfw(!isNsfw)}
      >
        {t(isNsfw ? 'nsfw.mark' : 'nsfw.safe')}
      </Button>
    </div>
  )
}
