import { Suspense, useCallback, useEffect, useId, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { isApiError } from '@/shared/api/errors'
import type { Workflow } from '@/shared/api/types'
import { uploadForText } from '@/shared/api/upload'
import { chunk } from '@/shared/lib/chunk'
import { cardUrl } from '@/shared/lib/media'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { usePendingUploads } from '@/shared/lib/use-pending-uploads'
import { Button } from '@/shared/ui/button'
import { TextField } from '@/shared/ui/field'
import { lazyPart } from '@/shared/ui/lazy-part'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { Skeleton } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { useSaveWorkflow } from '../api'
import { deleteDraft, readDraft, storeDraft } from '../draft-storage'
import { changesOf, type Draft, draftOf, MAX_NAME, mayPublish, sameDraft } from '../model'
import { useLeaveGuard } from '../use-leave-guard'
import styles from './edit-form.module.css'
import { PictureManager } from './picture-manager'
import { PublishQuestion } from './publish-question'
import { PublishSteps } from './publish-steps'
import { TagPicker } from './tag-picker'

const RichTextEditor = lazyPart(chunk(() => import('@/shared/ui/rich-text-editor')))

/** The form of a post. The upload step publishes it; otherwise it saves. */
export function EditForm({ workflow, isUpload }: { workflow: Workflow; isUpload: boolean }) {
  const { t } = useTranslation('workflows')
  const { t: common } = useTranslation()
  const id = useId()
  const text = useProblemText()
  const navigate = useNavigate()
  const save = useSaveWorkflow(workflow._id)
  const { draft, dirty, restored, change, setDraft, reset } = useWorkflowForm(workflow)
  // The editor reads its text only on mount, so a reset remounts it.
  const [life, setLife] = useState(0)
  const [leaving, setLeaving] = useState(false)
  const [tried, setTried] = useState(false)
  const [asking, setAsking] = useState(false)
  const { uploading, trackUpload } = usePendingUploads()
  useLeaveGuard(dirty && !leaving)
  const publishes = isUpload && workflow.isPrivate
  const problems = new Map(isApiError(save.error) ? save.error.fields.map((field) => [field.field, field.message]) : [])
  const nameProblem = tried && !draft.name.trim() ? t('edit.nameMissing') : problems.get('name')

  const leave = (to: string) => {
    // The leave guard must be off before navigation.
    flushSync(() => setLeaving(true))
    void navigate(to, { replace: true })
  }
  const submit = () => {
    // A post saved during an upload would lack the picture.
    if (uploading) return
    setTried(true)
    if (!draft.name.trim() || (publishes && !mayPublish(draft))) return
    if (publishes) setAsking(true)
    else send()
  }
  const send = () =>
    save.mutate(
      { ...changesOf(draft), ...(publishes && { isPrivate: false }) },
      {
        onSuccess: () => {
          deleteDraft(workflow._id)
          toast.success(t(publishes ? 'published' : 'edit.saved'))
          leave(paths.workflow(workflow._id))
        },
        onError: (error) => {
          // Errors are marked in the form, below the question.
          setAsking(false)
          toast.error(text(error), error)
        },
      },
    )
  const cover = draft.pictures.find((picture) => picture._id === draft.cover) ?? draft.pictures[0]
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className={styles.fields}>
        {restored && (
          <p className={styles.restored} role="status">
            {t('edit.restored')}
            <Button
              size="small"
              tone="ghost"
              onClick={() => {
                reset()
                setLife(life + 1)
              }}
            >
              {t('edit.discard')}
            </Button>
          </p>
        )}
        <section className={styles.section}>
          <TextField
            label={t('edit.name')}
            value={draft.name}
            maxLength={MAX_NAME}
            error={nameProblem}
            onChange={(event) => change({ name: event.target.value })}
          />
        </section>
        <section className={styles.section} aria-labelledby={`${id}-pictures`}>
          <h2 id={`${id}-pictures`} className={styles.heading}>
            {t('edit.pictures')}
          </h2>
          <PictureManager
            pictures={draft.pictures}
            cover={draft.cover}
            onChange={(next) => setDraft((now) => ({ ...now, pictures: next(now.pictures) }))}
            onCover={(picture) => change({ cover: picture })}
            trackUpload={trackUpload}
            problem={
              tried && publishes && draft.pictures.length === 0 ? t('edit.picturesMissing') : problems.get('thumbnails')
            }
          />
        </section>
        <section className={styles.section} aria-labelledby={`${id}-description`}>
          <h2 id={`${id}-description`} className={styles.heading}>
            {t('edit.description')}
          </h2>
          <PartBoundary>
            <Suspense fallback={<Skeleton style={{ height: 246, borderRadius: 8 }} />}>
              <RichTextEditor
                key={life}
                html={draft.description}
                label={t('edit.description')}
                placeholder={t('edit.descriptionHint')}
                onChange={(description) => change({ description })}
                onImage={async (file) => {
                  const asset = await uploadForText(file)
                  return { url: cardUrl(asset) ?? asset.url, name: asset.name }
                }}
                trackUpload={trackUpload}
                onProblem={(error) => toast.error(t('edit.uploadFailed', { message: text(error) }), error)}
              />
            </Suspense>
          </PartBoundary>
        </section>
        <section className={styles.section} aria-labelledby={`${id}-tags`}>
          <h2 id={`${id}-tags`} className={styles.heading}>
            {t('edit.tags')}
          </h2>
          <TagPicker
            value={draft.tags}
            onChange={(tags) => change({ tags })}
            problem={
              tried && publishes && draft.tags.length === 0 ? t('edit.tagsMissing') : problems.get('workflowTags')
            }
          />
        </section>
      </div>
      <aside className={styles.side}>
        <PublishSteps draft={draft} cover={cover} isUpload={publishes} author={workflow.user?.name} />
        <div className={styles.actions}>
          <Button tone="primary" size="large" type="submit" wide busy={save.isPending || uploading}>
            {t(uploading ? 'edit.uploading' : publishes ? 'actions.publish' : 'edit.save')}
          </Button>
          <Button tone="ghost" wide onClick={() => void navigate(paths.workflow(workflow._id))}>
            {publishes ? t('edit.cancelUpload') : common('cancel')}
          </Button>
        </div>
      </aside>
      {publishes && (
        <PublishQuestion
          workflow={workflow}
          draft={draft}
          open={asking}
          busy={save.isPending}
          onPublish={send}
          onClose={() => setAsking(false)}
        />
      )}
    </form>
  )
}

/** The form of a workflow: restored after a reload, and stored until it is saved. */
function useWorkflowForm(workflow: Workflow) {
  const { _id: id, editedAt } = workflow
  const saved = useMemo(() => draftOf(workflow), [workflow])
  const [start] = useState(() => readDraft(id, editedAt))
  const [draft, setDraft] = useState<Draft>(start ?? saved)
  const [restored, setRestored] = useState(start !== null && !sameDraft(start, saved))
  const dirty = !sameDraft(draft, saved)
  useEffect(() => {
    if (dirty) storeDraft(id, editedAt, draft)
    else deleteDraft(id)
  }, [id, editedAt, draft, dirty])
  const change = useCallback((part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part })), [])
  const reset = useCallback(() => {
    setDraft(saved)
    setRestored(false)
  }, [saved])
  return { draft, dirty, restored, change, setDraft, reset }
}
