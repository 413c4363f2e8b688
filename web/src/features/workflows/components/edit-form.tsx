import { Suspense, type SyntheticEvent, useId, useMemo, useState } from 'react'
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
import { type Problems, useForm } from '@/shared/lib/use-form'
import { useKeptDraft } from '@/shared/lib/use-kept-draft'
import { usePendingUploads } from '@/shared/lib/use-pending-uploads'
import { Button } from '@/shared/ui/button'
import { TextField } from '@/shared/ui/field'
import { lazyPart } from '@/shared/ui/lazy-part'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { Skeleton } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { useSaveWorkflow } from '../api'
import { workflowDrafts } from '../draft-storage'
import { changesOf, draftOf, MAX_NAME, sameDraft } from '../model'
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
  const saved = useMemo(() => draftOf(workflow), [workflow])
  const { draft, setDraft, changed, restored, discard } = useKeptDraft({
    drafts: workflowDrafts,
    id: workflow._id,
    over: workflow.editedAt,
    saved,
    isSame: sameDraft,
  })
  // The editor reads its text only on mount, so a reset remounts it.
  const [life, setLife] = useState(0)
  const [leaving, setLeaving] = useState(false)
  const [asking, setAsking] = useState(false)
  const { uploading, trackUpload } = usePendingUploads()
  useLeaveGuard(changed && !leaving)
  const publishes = isUpload && workflow.isPrivate
  const form = useForm({
    start: saved,
    state: [draft, setDraft],
    check: ({ name, pictures, tags }) => ({
      name: name.trim() ? undefined : t('edit.nameMissing'),
      thumbnails: publishes && pictures.length === 0 ? t('edit.picturesMissing') : undefined,
      workflowTags: publishes && tags.length === 0 ? t('edit.tagsMissing') : undefined,
    }),
    error: save.error,
    refused: problemsOf,
    send: () => (publishes ? setAsking(true) : send()),
  })

  const leave = (to: string) => {
    // The leave guard must be off before navigation.
    flushSync(() => setLeaving(true))
    void navigate(to, { replace: true })
  }
  const submit = (event: SyntheticEvent) => {
    // A post saved during an upload would lack the picture.
    if (uploading) event.preventDefault()
    else form.form.onSubmit(event)
  }
  const send = () =>
    save.mutate(
      { ...changesOf(draft), ...(publishes && { isPrivate: false }) },
      {
        onSuccess: () => {
          workflowDrafts.forget(workflow._id)
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
    <form {...form.form} className={styles.form} onSubmit={submit}>
      <div className={styles.fields}>
        {restored && (
          <p className={styles.restored} role="status">
            {t('edit.restored')}
            <Button
              size="small"
              tone="ghost"
              onClick={() => {
                discard()
                setLife(life + 1)
              }}
            >
              {t('edit.discard')}
            </Button>
          </p>
        )}
        <section className={styles.section}>
          <TextField label={t('edit.name')} maxLength={MAX_NAME} {...form.field('name')} />
        </section>
        <section className={styles.section} aria-labelledby={`${id}-pictures`}>
          <h2 id={`${id}-pictures`} className={styles.heading}>
            {t('edit.pictures')}
          </h2>
          <PictureManager
            pictures={draft.pictures}
            cover={draft.cover}
            onChange={(next) => setDraft((now) => ({ ...now, pictures: next(now.pictures) }))}
            onCover={(cover) => form.set({ cover })}
            trackUpload={trackUpload}
            problem={form.problems.thumbnails}
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
                onChange={(description) => form.set({ description })}
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
          <TagPicker value={draft.tags} onChange={(tags) => form.set({ tags })} problem={form.problems.workflowTags} />
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

/** The server's errors by its names of the fields. */
const problemsOf = (error: unknown): Problems =>
  isApiError(error) ? Object.fromEntries(error.fields.map(({ field, message }) => [field, message])) : {}
