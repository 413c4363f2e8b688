import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { AdminOnly } from '@/features/workflows'
import { isApiError } from '@/shared/api/errors'
import { LoadMore } from '@/shared/ui/load-more'
import { Page } from '@/shared/ui/page'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { auditQuery } from '../api'
import { AuditFilters } from '../components/audit-filters'
import { AuditLine } from '../components/audit-line'
import { type AuditQuestion, readQuestion, withAnswer } from '../model'
import styles from './audit-page.module.css'

/** What admins did, to what, and how it was before and after. Nothing here can be changed. */
export default function AuditPage() {
  return (
    <AdminOnly>
      <Audit />
    </AdminOnly>
  )
}

function Audit() {
  const { t } = useTranslation('audit')
  const [params, setParams] = useSearchParams()
  const asked = readQuestion(params)
  const answer = (key: keyof AuditQuestion, value: string) =>
    setParams(withAnswer(params, key, value), { replace: true, preventScrollReset: true })
  return (
    <Page title={t('title')} lead={t('lead')}>
      <AuditFilters asked={asked} onChange={answer} />
      <h2 className="visually-hidden">{t('list')}</h2>
      <Lines asked={asked} onChange={answer} />
    </Page>
  )
}

type LinesProps = { asked: AuditQuestion; onChange: (key: keyof AuditQuestion, value: string) => void }

function Lines({ asked, onChange }: LinesProps) {
  const { t } = useTranslation('audit')
  const list = useInfiniteQuery(auditQuery(asked))
  if (list.isPending) {
    return (
      <div className={styles.lines} aria-busy="true">
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <Skeleton key={key} style={{ height: 56, borderRadius: 12 }} />
        ))}
      </div>
    )
  }
  // What is no id was typed by hand: nothing can be found by it.
  if (isApiError(list.error, 400)) return <EmptyState icon="log" title={t('empty')} text={t('noId')} />
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.data.length === 0) return <EmptyState icon="log" title={t('empty')} text={t('emptyText')} />
  return (
    <>
      <ol className={styles.lines}>
        {list.data.map((entry) => (
          <li key={entry._id}>
            <AuditLine
              entry={entry}
              onAdmin={(id) => onChange('admin', id)}
              onTarget={(id) => onChange('target', id)}
            />
          </li>
        ))}
      </ol>
      <LoadMore hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
    </>
  )
}
