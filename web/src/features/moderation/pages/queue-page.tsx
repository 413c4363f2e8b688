import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { AdminOnly } from '@/features/workflows'
import { classNames } from '@/shared/lib/class-names'
import { LoadMore } from '@/shared/ui/load-more'
import { Page } from '@/shared/ui/page'
import { Segments } from '@/shared/ui/segments'
import { Select } from '@/shared/ui/select'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { casesQuery } from '../api'
import { CaseDetail } from '../components/case-detail'
import { CaseRow } from '../components/case-row'
import { CASE_SORTS, type CaseQuestion, KINDS, readQuestion, STATES, withAnswer, withCase } from '../model'
import styles from './queue-page.module.css'

/** What people have reported, for admins to decide. */
export default function QueuePage() {
  return (
    <AdminOnly>
      <Queue />
    </AdminOnly>
  )
}

function Queue() {
  const { t } = useTranslation('moderation')
  const [params, setParams] = useSearchParams()
  const asked = readQuestion(params)
  const open = params.get('case') ?? undefined
  const answer = (key: keyof CaseQuestion, value: string) =>
    setParams(withAnswer(params, key, value), { replace: true, preventScrollReset: true })
  return (
    <Page title={t('queue.title')} lead={t('queue.lead')}>
      <div className={classNames(styles.bar, open && styles.behind)}>
        <div className={styles.states}>
          <Segments
            label={t('queue.state')}
            options={[...STATES, 'All' as const].map((key) => ({ key, title: t(`states.${key}`) }))}
            value={asked.state}
            onChange={(state) => answer('state', state)}
          />
        </div>
        <Choice label={t('queue.kind')} value={asked.kind} onChange={(kind) => answer('kind', kind)}>
          <option value="All">{t('queue.allKinds')}</option>
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`kinds.${kind}`)}
            </option>
          ))}
        </Choice>
        <Choice label={t('queue.sort')} value={asked.sort} onChange={(sort) => answer('sort', sort)}>
          {CASE_SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {t(`sorts.${sort}`)}
            </option>
          ))}
        </Choice>
      </div>
      <div className={classNames(styles.panes, open && styles.open)}>
        <section className={styles.list} aria-label={t('queue.list')}>
          <Cases asked={asked} open={open} />
        </section>
        {open && (
          <section className={styles.detail} aria-label={t('case.title')}>
            <CaseDetail key={open} id={open} onBack={() => setParams(withCase(params), { preventScrollReset: true })} />
          </section>
        )}
      </div>
    </Page>
  )
}

type ChoiceProps = { label: string; value: string; onChange: (value: string) => void; children: React.ReactNode }

function Choice({ label, value, onChange, children }: ChoiceProps) {
  const id = useId()
  return (
    <div className={styles.choice}>
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <Select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {children}
      </Select>
    </div>
  )
}

function Cases({ asked, open }: { asked: CaseQuestion; open: string | undefined }) {
  const { t } = useTranslation('moderation')
  const [params] = useSearchParams()
  const list = useInfiniteQuery(casesQuery(asked))
  if (list.isPending) {
    return (
      <div className={styles.rows} aria-busy="true">
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} style={{ height: 88, borderRadius: 12 }} />
        ))}
      </div>
    )
  }
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.data.length === 0) {
    return asked.state === 'Open' ? (
      <EmptyState icon="shield" title={t('queue.done')} text={t('queue.doneText')} />
    ) : (
      <EmptyState icon="flag" title={t('queue.empty')} />
    )
  }
  return (
    <>
      <ul className={styles.rows}>
        {list.data.map((one) => (
          <li key={one._id}>
            <CaseRow
              one={one}
              to={`?${withCase(params, one._id)}`}
              current={one._id === open}
              mixed={asked.state === 'All'}
            />
          </li>
        ))}
      </ul>
      <LoadMore hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
    </>
  )
}
