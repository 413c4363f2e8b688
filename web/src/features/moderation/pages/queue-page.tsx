import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaseState } from '@/shared/api/types'
import { useUrlParams } from '@/shared/lib/url-params'
import { DetailPanes } from '@/shared/ui/detail-panes'
import { Page } from '@/shared/ui/page'
import { QueryRows } from '@/shared/ui/query-list'
import { Segments } from '@/shared/ui/segments'
import { Select } from '@/shared/ui/select'
import { EmptyState } from '@/shared/ui/states'
import { casesQuery, openCasesQuery } from '../api'
import { CaseDetail } from '../components/case-detail'
import { CaseRow } from '../components/case-row'
import { CASE_SORTS, type CaseQuestion, KINDS, QUEUE, STATES } from '../model'
import styles from './queue-page.module.css'

export default function QueuePage() {
  const { t } = useTranslation('moderation')
  const [{ case: open, ...filters }, { replace, push, link }] = useUrlParams(QUEUE)
  const list = useInfiniteQuery(casesQuery(filters))
  const isDone = filters.state === 'Open'
  const cases = (
    <QueryRows
      list={list}
      skeleton={{ height: 88, count: 4 }}
      empty={
        isDone ? (
          <EmptyState icon="shield" title={t('queue.done')} text={t('queue.doneText')} />
        ) : (
          <EmptyState icon="flag" title={t('queue.empty')} />
        )
      }
    >
      {(one) => (
        <CaseRow one={one} to={link({ case: one._id })} current={one._id === open} mixed={filters.state === 'All'} />
      )}
    </QueryRows>
  )
  const detail = open && <CaseDetail key={open} id={open} onBack={() => push({ case: '' })} />
  return (
    <Page title={t('queue.title')} lead={t('queue.lead')}>
      <DetailPanes
        bar={<Bar filters={filters} onChange={replace} />}
        list={{ label: t('queue.list'), children: cases }}
        detail={open && { label: t('case.title'), children: detail }}
      />
    </Page>
  )
}

type BarProps = { filters: Omit<CaseQuestion, 'case'>; onChange: (change: Partial<CaseQuestion>) => void }

function Bar({ filters, onChange: replace }: BarProps) {
  const { t } = useTranslation('moderation')
  const open = useQuery(openCasesQuery()).data
  const titleOf = (key: CaseState | 'All') =>
    key === 'Open' && open !== undefined ? t('openCount', { count: open }) : t(`states.${key}`)
  return (
    <>
      <div className={styles.states}>
        <Segments
          label={t('queue.state')}
          options={[...STATES, 'All' as const].map((key) => ({ key, title: titleOf(key) }))}
          value={filters.state}
          onChange={(state) => replace({ state })}
        />
      </div>
      <Choice label={t('queue.kind')} value={filters.kind} onChange={(kind) => replace({ kind })}>
        {[
          { key: 'All' as const, title: t('queue.allKinds') },
          ...KINDS.map((key) => ({ key, title: t(`kinds.${key}`) })),
        ]}
      </Choice>
      <Choice label={t('queue.sort')} value={filters.sort} onChange={(sort) => replace({ sort })}>
        {CASE_SORTS.map((key) => ({ key, title: t(`sorts.${key}`) }))}
      </Choice>
    </>
  )
}

type ChoiceProps<K extends string> = {
  label: string
  value: K
  onChange: (value: K) => void
  children: { key: K; title: string }[]
}

function Choice<K extends string>({ label, value, onChange, children }: ChoiceProps<K>) {
  const id = useId()
  return (
    <div className={styles.choice}>
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <Select id={id} value={value} onChange={(event) => onChange(event.target.value as K)}>
        {children.map(({ key, title }) => (
          <option key={key} value={key}>
            {title}
          </option>
        ))}
      </Select>
    </div>
  )
}
