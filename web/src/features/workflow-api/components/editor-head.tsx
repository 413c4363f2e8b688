import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import { keys } from '@/shared/api/keys'
import { formatRelative } from '@/shared/lib/format'
import { useFailureToast } from '@/shared/lib/use-failure-toast'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { ClosePage } from '@/shared/ui/close-page'
import { useConfirm } from '@/shared/ui/dialog'
import { toast } from '@/shared/ui/toast'
import { useDeleteApi, useSaveApi } from '../api'
import { useEditor } from '../editor-context'
import { refusedBlock, type SaveBlock, saveBlock } from '../model'
import type { Editing } from '../use-setup'
import type { Refresh } from './api-editor'
import styles from './editor-head.module.css'

type EditorHeadProps = {
  /** The address of the workflow's page. */
  post: string
  editing: Editing
  onBlocked: (block: SaveBlock) => void
  /** The server refused settings, which the details mark. */
  onRefused: () => void
  refresh: Refresh
}

/** The title, whether there are unsaved changes, and the actions. */
export function EditorHead({ post, editing, onBlocked, onRefused, refresh }: EditorHeadProps) {
  const { t, i18n } = useTranslation('workflowApi')
  const { t: apps } = useTranslation('miniApps')
  const { editor } = useEditor()
  const { workflow, saved, hasPrompt } = editor
  const save = useSave(editing, onBlocked, onRefused)
  const remove = useRemove(editing)
  return (
    <header className={styles.head}>
      <ClosePage to={post} />
      <div className={styles.words}>
        <h1 className={styles.title}>{workflow.name}</h1>
        <p className={styles.state} role="status">
          {editing.changed ? (
            <Chip tone="warn">{t('state.changed')}</Chip>
          ) : (
            <Chip tone={saved ? 'good' : 'plain'}>{t(saved ? 'state.saved' : 'state.none')}</Chip>
          )}
          {saved && !editing.changed && (
            <time dateTime={saved.updatedAt}>{formatRelative(saved.updatedAt, i18n.language)}</time>
          )}
          {saved?.works.ok && <Chip tone="good">{apps('works.ok')}</Chip>}
          {editing.restored && (
            <>
              {t('restored')}
              <Button size="small" tone="ghost" onClick={editing.discard}>
                {t('discard')}
              </Button>
            </>
          )}
        </p>
      </div>
      <div className={styles.actions}>
        <Button tone="ghost" icon="reset" busy={refresh.busy} onClick={refresh.go}>
          {t('refresh')}
        </Button>
        {hasPrompt && (
          <>
            <Button tone="ghost" icon="trash" busy={remove.busy} onClick={remove.ask}>
              {t('delete')}
            </Button>
            <Button tone="primary" icon="check" busy={save.busy} onClick={save.go}>
              {t('save')}
            </Button>
          </>
        )}
      </div>
    </header>
  )
}

function useSave(editing: Editing, onBlocked: EditorHeadProps['onBlocked'], onRefused: () => void) {
  const { t } = useTranslation('workflowApi')
  const showFailure = useFailureToast()
  const { editor, problems } = useEditor()
  const client = useQueryClient()
  const save = useSaveApi(editor.workflow._id)
  const go = () => {
    const { setup } = editing
    const block = saveBlock(setup, problems)
    if (block) {
      onBlocked(block)
      return
    }
    save.mutate(setup, {
      onSuccess: (saved) => {
        editing.settle(setup, saved)
        toast.success(t('saved'))
      },
      onError: (error) => {
        const refused = refusedBlock(error)
        if (!refused) {
          showFailure(error, t('saveFailed'))
          if (isApiError(error) && error.fields.length > 0) onRefused()
          return
        }
        // The graph has changed since the preview was made.
        void client.invalidateQueries({ queryKey: keys.workflowApi.preview })
        onBlocked(refused)
      },
    })
  }
  return { go, busy: save.isPending }
}

function useRemove(editing: Editing) {
  const { t } = useTranslation('workflowApi')
  const showFailure = useFailureToast()
  const confirm = useConfirm()
  const { editor } = useEditor()
  const { saved, workflow } = editor
  const remove = useDeleteApi(workflow._id)
  const ask = async () => {
    if (!saved) {
      toast.error(t('notFound'))
      return
    }
    const yes = await confirm({
      title: t('remove.title', { name: workflow.name }),
      text: t('remove.text'),
      action: t('delete'),
      danger: true,
    })
    if (!yes) return
    remove.mutate(saved._id, {
      onSuccess: () => {
        editing.settle(editing.setup, null)
        toast.success(t('deleted'))
      },
      onError: (error) => showFailure(error, t('deleteFailed')),
    })
  }
  return { ask: () => void ask(), busy: remove.isPending }
}
