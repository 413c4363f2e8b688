import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import { useQuestion } from '@/shared/lib/question'
import { Page } from '@/shared/ui/page'
import { QueryRows } from '@/shared/ui/query-list'
import { EmptyState } from '@/shared/ui/states'
import { auditQuery } from '../api'
import { AuditFilters } from '../components/audit-filters'
import { AuditLine } from '../components/audit-line'
import { AUDIT } from '../model'

/** What admins did, to what, and how it was before and after. Nothing here can be changed. */
export default function AuditPage() {
  const { t } = useTranslation('audit')
  const [asked, { answer }] = useQuestion(AUDIT)
  const list = useInfiniteQuery(auditQuery(asked))
  const none = (text: string) => <EmptyState icon="log" title={t('empty')} text={text} />
  return (
    <Page title={t('title')} lead={t('lead')}>
      <AuditFilters asked={asked} onChange={answer} />
      <h2 className="visually-hidden">{t('list')}</h2>
      <QueryRows
        list={list}
        ghosts={{ height: 56, count: 6 }}
        // What is no id was typed by hand: nothing can be found by it.
        refused={(error) => isApiError(error, 400) && none(t('noId'))}
        empty={none(t('emptyText'))}
      >
        {(entry) => (
          <AuditLine entry={entry} onAdmin={(admin) => answer({ admin })} onTarget={(target) => answer({ target })} />
        )}
      </QueryRows>
    </Page>
  )
}
