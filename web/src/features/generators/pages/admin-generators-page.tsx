import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SIMPLE_APPS } from '@/features/mini-apps'
import type { GeneratorPage } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { useUrlParams } from '@/shared/lib/url-params'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Page } from '@/shared/ui/page'
import { SkeletonRows } from '@/shared/ui/query-list'
import { SearchForm } from '@/shared/ui/search-form'
import { EmptyState, ErrorState } from '@/shared/ui/states'
import { Tabs } from '@/shared/ui/tabs'
import { FOLLOW_MS, generatorsQuery } from '../api'
import { GeneratorFilters } from '../components/generator-filters'
import { GeneratorTable } from '../components/generator-table'
import { ModelTable } from '../components/model-table'
import { NoModels } from '../components/no-models'
import { SimpleAppBindings } from '../components/simple-app-bindings'
import { containsWords, FILTERS, type Filters, PARTS, stateOf } from '../model'
import { useFamilyName } from '../use-family-name'
import styles from './admin-generators-page.module.css'

/** Whether generators may still follow a change, and the function that notes one. */
function useFollowing(): [boolean, () => void] {
  const [changedAt, setChangedAt] = useState<number | null>(null)
  useEffect(() => {
    if (changedAt === null) return
    const timer = setTimeout(() => setChangedAt(null), FOLLOW_MS)
    return () => clearTimeout(timer)
  }, [changedAt])
  return [changedAt !== null, useCallback(() => setChangedAt(Date.now()), [])]
}

export default function AdminGeneratorsPage() {
  const { t } = useTranslation('generators')
  const [isFollowing, onChanged] = useFollowing()
  const page = useQuery(generatorsQuery(isFollowing))
  return (
    <Page title={t('title')} lead={t('lead')}>
      <p className={styles.following} role="status">
        {isFollowing && t('following')}
      </p>
      {page.isPending ? (
        <SkeletonRows height={64} count={6} />
      ) : page.data ? (
        <Parts page={page.data} onChanged={onChanged} />
      ) : (
        <ErrorState error={page.error} onRetry={() => void page.refetch()} />
      )}
    </Page>
  )
}

function Parts({ page, onChanged }: { page: GeneratorPage; onChanged: () => void }) {
  const { t } = useTranslation('generators')
  const [filters, { replace }] = useUrlParams(FILTERS)
  const { part } = filters
  const numbers = { generators: page.generators.length, models: page.models.length, apps: SIMPLE_APPS.length }
  return (
    <Tabs
      label={t('title')}
      tabs={PARTS.map((key) => ({ key, title: t(`parts.${key}`, { number: numbers[key] }) }))}
      active={part}
      onChange={(next) => replace({ part: next, keyword: '' })}
    >
      {part === 'generators' ? (
        <Generators page={page} filters={filters} onFilter={replace} />
      ) : part === 'apps' ? (
        <SimpleAppBindings />
      ) : (
        <Models page={page} filters={filters} onFilter={replace} onChanged={onChanged} />
      )}
    </Tabs>
  )
}

type PartProps = { page: GeneratorPage; filters: Filters; onFilter: (change: Partial<Filters>) => void }

function Generators({ page: { generators }, filters, onFilter }: PartProps) {
  const { t } = useTranslation('generators')
  const familyName = useFamilyName()
  if (generators.length === 0) {
    return (
      <EmptyState
        icon="wand"
        title={t('empty')}
        text={t('emptyText')}
        action={<ButtonLink to={paths.admin.home()}>{t('workers')}</ButtonLink>}
      />
    )
  }
  const { task, state, keyword } = filters
  const shown = generators.filter(
    (one) =>
      (!task || one.task === task) &&
      (!state || stateOf(one) === state) &&
      containsWords(
        [
          t(`tasks.${one.task}`),
          one.model,
          one.recipe,
          one.family,
          one.family && familyName(one.family),
          one.licence?.name,
        ],
        keyword,
      ),
  )
  return (
    <>
      <GeneratorFilters filters={filters} onChange={onFilter} />
      <Shown count={shown.length} onAll={() => onFilter({ task: '', state: '', keyword: '' })} />
      {shown.length > 0 && <GeneratorTable generators={shown} />}
    </>
  )
}

function Models({
  page: { models, names },
  filters: { keyword },
  onFilter,
  onChanged,
}: PartProps & { onChanged: () => void }) {
  const { t } = useTranslation('generators')
  const familyName = useFamilyName()
  if (models.length === 0) return <NoModels names={names} />
  const shown = models.filter(({ folder, file, family }) =>
    containsWords([folder, file, family, family && familyName(family)], keyword),
  )
  return (
    <>
      <p className={styles.lead}>{t('models.lead')}</p>
      <div className={styles.bar}>
        <SearchForm
          label={t('models.search')}
          value={keyword}
          asTyped
          onSearch={(words) => onFilter({ keyword: words })}
        />
      </div>
      <Shown count={shown.length} onAll={() => onFilter({ keyword: '' })} />
      {shown.length > 0 && <ModelTable models={shown} names={names} onChanged={onChanged} />}
    </>
  )
}

/** The number of rows for screen readers, or the way back if filters leave none. */
function Shown({ count, onAll }: { count: number; onAll: () => void }) {
  const { t } = useTranslation('generators')
  const { t: common } = useTranslation()
  return (
    <>
      <p className="visually-hidden" role="status">
        {common('list.all', { count })}
      </p>
      {count === 0 && (
        <EmptyState icon="search" title={t('noMatch')} action={<Button onClick={onAll}>{t('showAll')}</Button>} />
      )}
    </>
  )
}
