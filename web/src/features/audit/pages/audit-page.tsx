import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import { useUrlParams } from '@/shared/lib/url-params'
import { Page } from '@/shared/ui/page'
import { QueryRows } from '@/shared/ui/query-list'
import { EmptyState } from '@/shared/ui/states'
import { auditQuery } from '../api'
import { AuditFilters } from '../components/audit-filters'
import { AuditLine } from '../components/audit-line'
import { AUDIT } from '../model'

export default function AuditPage() {
  const { t } = useTranslation('audit')
  const [filters, { replace }] = useUrlParams(AUDIT)
  const list = useInfiniteQuery(auditQuery(filters))
  const none = (text: string) => <EmptyState icon="log" title={t('empty')} text={text} />
  return (
    <Page title={t('title')} lead={t('lead')}>
      <AuditFilters filters={filters} onChange={replace} />
      <h2 className="visually-hidden">{t('list')}</h2>
      <QueryRows
        list={list}
        skeleton={{ height: 56, count: 6 }}
        // Text that is no id was typed by hand; nothing can match it.
        refused={(error) => isApiError(error, 400) && none(t('noId'))}
        empty={none(t('emptyText'))}
      >
        {(entry) => (
          <AuditLine entry={entry} onAdmin={(admin) => replace({ admin })} onTarget={(target) => replace({ target })} />
        )}
      </QueryRows>
    </Page>
  )
}
