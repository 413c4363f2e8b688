import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Workflow } from '@/shared/api/types'
import { useTranslated } from '@/shared/lib/translated'
import { Button } from '@/shared/ui/button'
import { SearchForm } from '@/shared/ui/search-form'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { candidatesQuery } from '../api'
import styles from './candidates.module.css'
import { WorkflowRow } from './workflow-row'

type CandidatesProps = { chosen: Workflow[]; busy: string | undefined; onChoose: (workflow: Workflow) => void }

export function Candidates({ chosen, busy, onChoose }: CandidatesProps) {
  const { t } = useTranslation('curation')
  const translated = useTranslated()
  const [keyword, setKeyword] = useState('')
  const found = useQuery(candidatesQuery(keyword))
  return (
    <>
      <SearchForm label={t('basics.search')} value={keyword} asTyped onSearch={setKeyword} />
      {found.isPending && (
        <div className={styles.list} aria-busy="true">
          {['a', 'b', 'c'].map((key) => (
            <Skeleton key={key} style={{ height: 72, borderRadius: 12 }} />
          ))}
        </div>
      )}
      {found.isError && !found.data && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.data?.length === 0 && (
        <EmptyState icon="search" title={t('basics.nothing')} text={t('basics.nothingText')} />
      )}
      <ul className={styles.list} aria-label={t('basics.candidates')} aria-busy={found.isPlaceholderData}>
        {found.data?.map((workflow) => {
          const isChosen = chosen.some((one) => one._id === workflow._id)
          return (
            <li key={workflow._id}>
              <WorkflowRow
                workflow={workflow}
                action={
                  <Button
                    size="small"
                    icon={isChosen ? 'check' : 'plus'}
                    disabled={isChosen}
                    busy={busy === workflow._id}
                    aria-label={t(isChosen ? 'basics.isChosen' : 'basics.addOf', { name: translated(workflow).name })}
                    onClick={() => onChoose(workflow)}
                  />
                }
              />
            </li>
          )
        })}
      </ul>
    </>
  )
}
