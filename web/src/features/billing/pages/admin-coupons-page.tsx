import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUrlParams } from '@/shared/lib/url-params'
import { Button } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { Page } from '@/shared/ui/page'
import { QueryList } from '@/shared/ui/query-list'
import { SearchForm } from '@/shared/ui/search-form'
import { Segments } from '@/shared/ui/segments'
import { EmptyState } from '@/shared/ui/states'
import { couponsQuery } from '../api'
import { CouponTable } from '../components/coupon-table'
import { CreateCoupon } from '../components/create-coupon'
import { COUPON_STATES, COUPONS, EMPTY_COUPON, MAX_SEARCH } from '../model'
import styles from './admin-coupons-page.module.css'

/** Coupons: who may redeem what, until when, and how often it was redeemed. */
export default function AdminCouponsPage() {
  const { t } = useTranslation('coupons')
  const [filters, { replace }] = useUrlParams(COUPONS)
  const list = useInfiniteQuery(couponsQuery(filters))
  const [isCreating, setIsCreating] = useState(false)
  // Kept here: closing the dialog by accident loses nothing.
  const draft = useState(EMPTY_COUPON)
  const create = (
    <Button tone="primary" icon="plus" onClick={() => setIsCreating(true)}>
      {t('create.open')}
    </Button>
  )
  const isFiltered = filters.search !== '' || filters.state !== 'all'
  const empty = isFiltered ? (
    <EmptyState
      icon="search"
      title={t('list.noMatch')}
      action={<Button onClick={() => replace({ search: '', state: 'all' })}>{t('list.showAll')}</Button>}
    />
  ) : (
    <EmptyState icon="bolt" title={t('list.empty')} text={t('list.emptyText')} />
  )
  return (
    <Page title={t('title')} lead={t('lead')} actions={create}>
      <div className={styles.bar}>
        <SearchForm
          label={t('list.search')}
          value={filters.search}
          maxLength={MAX_SEARCH}
          asTyped
          onSearch={(search) => replace({ search })}
        />
        <Segments
          label={t('list.state')}
          options={COUPON_STATES.map((key) => ({ key, title: t(`list.states.${key}`) }))}
          value={filters.state}
          onChange={(state) => replace({ state })}
        />
      </div>
      <QueryList list={list} skeleton={{ height: 64, count: 6 }} empty={empty}>
        {(coupons) => <CouponTable coupons={coupons} />}
      </QueryList>
      <Dialog open={isCreating} onClose={() => setIsCreating(false)} title={t('create.title')} width={600}>
        <CreateCoupon draft={draft} onClose={() => setIsCreating(false)} />
      </Dialog>
    </Page>
  )
}
