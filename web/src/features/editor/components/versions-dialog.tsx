import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Workflow, WorkflowGraph, WorkflowVersion } from '@/shared/api/types'
import { formatBytes, formatRelative } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { Dialog, useConfirm } from '@/shared/ui/dialog'
import { QueryList } from '@/shared/ui/query-list'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { useRestoreVersion, versionQuery, versionsQuery } from '../api'
import { compareGraphs, type NodeChange } from '../compare'
import styles from './dialogs.module.css'

type VersionsDialogProps = {
  flow: string
  /** The version that the editor's graph began as. */
  version: number | null
  unsaved: boolean
  onRestored: (saved: Workflow) => void
  onClose: () => void
}

/** The saved versions of a workflow: what each changed, and a way back. */
export default function VersionsDialog({ flow, version, unsaved, onRestored, onClose }: VersionsDialogProps) {
  const { t, i18n } = useTranslation('nodeEditor')
  const confirm = useConfirm()
  const list = useInfiniteQuery(versionsQuery(flow))
  const [compared, setCompared] = useState<WorkflowVersion | null>(null)
  const restore = useRestoreVersion()
  const latest = list.data?.[0]?.version ?? version
  const ask = async (chosen: WorkflowVersion) => {
    const text = t(unsaved ? 'versions.restoreUnsaved' : 'versions.restoreText')
    const title = t('versions.restoreTitle', { number: chosen.version })
    if (!(await confirm({ title, text, action: t('versions.restore') }))) return
    restore.mutate(
      { flow, version: chosen.version, baseVersion: latest },
      {
        onSuccess: (saved) => {
          toast.success(t('versions.restored', { number: chosen.version }))
          onRestored(saved)
          onClose()
        },
        onError: (error) => toast.error(t('versions.restoreFailed'), error),
      },
    )
  }
  return (
    <Dialog open onClose={onClose} title={t('versions.title')} width={720}>
      {compared ? (
        <>
          <Comparison flow={flow} before={compared.version} after={latest ?? compared.version} />
          <div className={styles.actions}>
            <Button tone="ghost" icon="left" onClick={() => setCompared(null)}>
              {t('versions.back')}
            </Button>
          </div>
        </>
      ) : (
        <QueryList list={list} skeleton={{ height: 56 }} empty={<p>{t('versions.none')}</p>}>
          {(versions) => (
            <ul className={styles.versions}>
              {versions.map((one) => (
                <li key={one.version} className={styles.version}>
                  <span>
                    {t('versions.number', { number: one.version })}
                    <span className={styles.fact}>
                      <time dateTime={one.createdAt}>{formatRelative(one.createdAt, i18n.language)}</time>
                      {` · ${formatBytes(one.sizeBytes)}`}
                    </span>
                  </span>
                  {one.version === latest ? (
                    <Chip>{t('versions.latest')}</Chip>
                  ) : (
                    <span className={styles.actions}>
                      <Button size="small" onClick={() => setCompared(one)}>
                        {t('versions.compare')}
                      </Button>
                      <Button
                        size="small"
                        tone="outline"
                        icon="reset"
                        busy={restore.isPending}
                        onClick={() => void ask(one)}
                      >
                        {t('versions.restore')}
                      </Button>
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )}
        </QueryList>
      )}
    </Dialog>
  )
}

function Comparison({ flow, before, after }: { flow: string; before: number; after: number }) {
  const [old, fresh] = useQueries({ queries: [versionQuery(flow, before), versionQuery(flow, after)] })
  const failed = old.error ?? fresh.error
  if (failed) return <ErrorState error={failed} onRetry={() => void Promise.all([old.refetch(), fresh.refetch()])} />
  if (!old.data || !fresh.data) return <Skeleton style={{ height: 200 }} />
  return <Changes before={before} after={after} old={old.data} fresh={fresh.data} />
}

type ChangesProps = { before: number; after: number; old: WorkflowGraph; fresh: WorkflowGraph }

/** The nodes that differ, with their values side by side. */
function Changes({ before, after, old, fresh }: ChangesProps) {
  const { t } = useTranslation('nodeEditor')
  const changes = useMemo(() => compareGraphs(old, fresh), [old, fresh])
  return (
    <div className={styles.changes}>
      <p>{t('versions.comparing', { before, after })}</p>
      {changes.length === 0 && <p>{t('versions.same')}</p>}
      {changes.map((change) => (
        <ChangedNode key={`${change.kind} ${change.id}`} change={change} before={before} after={after} />
      ))}
    </div>
  )
}

const TONES = { added: 'good', removed: 'bad', changed: 'plain' } as const

function ChangedNode({ change, before, after }: { change: NodeChange; before: number; after: number }) {
  const { t } = useTranslation('nodeEditor')
  return (
    <table>
      <caption>
        <Chip tone={TONES[change.kind]}>{t(`versions.${change.kind}`)}</Chip>
        {` ${change.title} #${change.id}`}
      </caption>
      <thead>
        <tr>
          <th scope="col">{t('versions.value')}</th>
          <th scope="col">{t('versions.number', { number: before })}</th>
          <th scope="col">{t('versions.number', { number: after })}</th>
        </tr>
      </thead>
      <tbody>
        {change.values.map((value) => (
          <tr key={value.name}>
            <th scope="row">{value.name}</th>
            <td>{value.before ?? '–'}</td>
            <td>{value.after ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
