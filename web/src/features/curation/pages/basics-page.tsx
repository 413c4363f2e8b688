import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Workflow } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { useTranslated } from '@/shared/lib/translated'
import { Button, ButtonLink } from '@/shared/ui/button'
import { useConfirm } from '@/shared/ui/dialog'
import { Page } from '@/shared/ui/page'
import { SkeletonRows } from '@/shared/ui/query-list'
import { SortableList } from '@/shared/ui/sortable-list'
import { EmptyState, ErrorState } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { basicsQuery, useChooseBasic, useOrderBasics } from '../api'
import { Candidates } from '../components/candidates'
import { WorkflowRow } from '../components/workflow-row'
import styles from './curation-page.module.css'

export default function BasicsPage() {
  const { t } = useTranslation('curation')
  const basics = useQuery(basicsQuery())
  const text = useProblemText()
  const confirm = useConfirm()
  const translated = useTranslated()
  const choose = useChooseBasic()
  const order = useOrderBasics()
  const chosen = basics.data ?? []
  const nameOf = (workflow: Workflow) => translated(workflow).name
  const failed = (error: unknown) => toast.error(t('failed', { message: text(error) }), error)
  const take = (workflow: Workflow) =>
    choose.mutate(
      { id: workflow._id, isBasic: true },
      { onSuccess: () => toast.success(t('basics.added', { name: nameOf(workflow) })), onError: failed },
    )
  const takeOut = async (workflow: Workflow) => {
    const yes = await confirm({
      title: t('basics.removeTitle', { name: nameOf(workflow) }),
      text: t('basics.removeText'),
      action: t('basics.remove'),
      danger: true,
    })
    if (!yes) return
    choose.mutate(
      { id: workflow._id, isBasic: false },
      { onSuccess: () => toast.success(t('basics.removed', { name: nameOf(workflow) })), onError: failed },
    )
  }
  return (
    <Page
      title={t('basics.title')}
      lead={t('basics.lead')}
      actions={
        <ButtonLink to={paths.basicWorkflows()} icon="eye">
          {t('basics.asVisitors')}
        </ButtonLink>
      }
    >
      <div className={styles.columns}>
        <section className={styles.part} aria-labelledby="basics-chosen">
          <h2 id="basics-chosen" className={styles.heading}>
            {t('basics.chosen')}
            {basics.data && <span>{chosen.length}</span>}
          </h2>
          {basics.isPending && <SkeletonRows height={72} count={4} />}
          {basics.isError && !basics.data && <ErrorState error={basics.error} onRetry={() => void basics.refetch()} />}
          {basics.data?.length === 0 && (
            <EmptyState icon="star" title={t('basics.empty')} text={t('basics.emptyText')} />
          )}
          <SortableList
            label={t('basics.chosen')}
            items={chosen}
            nameOf={nameOf}
            onOrder={(ids) => order.mutateAsync(ids, { onError: failed })}
            render={(workflow, handle) => (
              <WorkflowRow
                workflow={workflow}
                handle={handle}
                number={chosen.indexOf(workflow) + 1}
                action={
                  <Button
                    size="small"
                    tone="ghost"
                    icon="close"
                    aria-label={t('basics.removeOf', { name: nameOf(workflow) })}
                    onClick={() => void takeOut(workflow)}
                  />
                }
              />
            )}
          />
        </section>
        <section className={styles.part} aria-labelledby="basics-add">
          <h2 id="basics-add" className={styles.heading}>
            {t('basics.add')}
          </h2>
          <Candidates chosen={chosen} busy={choose.isPending ? choose.variables.id : undefined} onChoose={take} />
        </section>
      </div>
    </Page>
  )
}
