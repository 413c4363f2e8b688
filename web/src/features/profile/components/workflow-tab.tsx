import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/features/auth'
import {
  favouriteWorkflowsQuery,
  OpenFileButton,
  publishedByQuery,
  unpublishedByQuery,
  WorkflowList,
} from '@/features/workflows'
import { paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import { EmptyState } from '@/shared/ui/states'
import type { TabProps } from '../tabs'

type Kind = 'workflows' | 'workflow-files' | 'favoriteWorkflows'

const QUERIES = {
  workflows: publishedByQuery,
  'workflow-files': unpublishedByQuery,
  favoriteWorkflows: favouriteWorkflowsQuery,
} as const

/** One of the workflow lists of a profile. Unpublished ones show their edit date and can be published. */
export function WorkflowTab({ profile, kind }: TabProps & { kind: Kind }) {
  const { t } = useTranslation('profile')
  const user = useUser()
  // The three queries differ only in their keys.
  const list = useInfiniteQuery(QUERIES[kind](profile._id) as ReturnType<typeof publishedByQuery>)
  const own = user?._id === profile._id
  const action = own && (
    <ButtonLink tone="primary" to={paths.workflows()}>
      {t(`emptyAction.${kind}`)}
    </ButtonLink>
  )
  return (
    <>
      {own && kind === 'workflow-files' && (
        <Suspense>
          <OpenFileButton />
        </Suspense>
      )}
      <WorkflowList
        list={list}
        mode={kind === 'workflow-files' ? 'edited' : 'plain'}
        empty={
          <EmptyState icon="workflow" title={t(`emptyTitle.${kind}`)} text={t(`emptyText.${kind}`)} action={action} />
        }
      />
    </>
  )
}
