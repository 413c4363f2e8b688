import type { UseQueryResult } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppTrial } from '@/features/mini-apps'
import { isApiError } from '@/shared/api/errors'
import { FieldError } from '@/shared/ui/field'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { readForm } from '@/shared/ui/schema-form/read-form'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { useEditor } from '../editor-context'
import { isEmpty, testBlock } from '../model'
import type { Preview } from '../types'
import type { Editing } from '../use-setup'
import styles from './preview-panel.module.css'

type PreviewPanelProps = {
  preview: UseQueryResult<Preview>
  editing: Editing
  /** Element in which a test's result is rendered. */
  slot: HTMLElement | null
}

export function PreviewPanel({ preview, editing, slot }: PreviewPanelProps) {
  const { t, i18n } = useTranslation('workflowApi')
  const { editor, problems } = useEditor()
  const { saved } = editor
  const empty = isEmpty(editing.setup)
  const refused = isApiError(preview.error) && preview.error.fields.length > 0
  // The saved version still runs where the graph has changed, and a preview leaves out what no longer matches.
  const isOutdated = saved !== null && !editing.changed && problems.length > 0
  const rjsf = useLastForm(isOutdated ? saved.rjsf : preview.data?.rjsf, empty)
  const form = useMemo(() => rjsf && readForm(rjsf.schema, rjsf.uiSchema, i18n.language), [rjsf, i18n.language])
  const mayRun = () => {
    const block = testBlock(saved !== null, editing.changed)
    if (block) toast.error(t(`test.${block}`))
    return block === null
  }
  return (
    <section className={styles.panel} aria-label={t('preview.title')} aria-busy={preview.isPlaceholderData}>
      <h2 className={styles.title}>{t('preview.title')}</h2>
      <div className={styles.body}>
        {form && form.fields.length > 0 ? (
          <PartBoundary>
            {isOutdated && (
              <p className={styles.note} role="status">
                {t('preview.outdated')}
              </p>
            )}
            {refused && (
              <div className={styles.refused}>
                <FieldError>{`${t('preview.refused')}. ${t('preview.refusedText')}`}</FieldError>
              </div>
            )}
            <Suspense fallback={<Skeleton style={{ height: 240, margin: 20 }} />}>
              <AppTrial app={saved?._id ?? null} form={form} mayRun={mayRun} slot={slot} resultTitle={t('result')} />
            </Suspense>
          </PartBoundary>
        ) : (
          <div className={styles.none}>
            <NoForm preview={preview} empty={empty} refused={refused} />
          </div>
        )}
      </div>
    </section>
  )
}

/** The last valid form: typed values and the result are kept while a setting is invalid. */
function useLastForm(now: Preview['rjsf'] | undefined, empty: boolean): Preview['rjsf'] | undefined {
  const [last, setLast] = useState(now)
  const next = empty ? undefined : (now ?? last)
  if (next !== last) setLast(next)
  return next
}

type NoFormProps = { preview: UseQueryResult<Preview>; empty: boolean; refused: boolean }

/** Why there is no form, and the next step. */
function NoForm({ preview, empty, refused }: NoFormProps) {
  const { t } = useTranslation('workflowApi')
  const { problems } = useEditor()
  const { error } = preview
  if (empty) return <EmptyState icon="apps" title={t('preview.empty')} text={t('preview.emptyText')} />
  if (refused || (preview.data && problems.length > 0)) {
    return <EmptyState icon="warning" tone="error" title={t('preview.refused')} text={t('preview.refusedText')} />
  }
  if (error) return <ErrorState error={error} onRetry={() => void preview.refetch()} />
  if (preview.isPending) return <Skeleton style={{ height: 240, margin: 20 }} />
  return <EmptyState icon="apps" title={t('preview.noFields')} text={t('preview.noFieldsText')} />
}
