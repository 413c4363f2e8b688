import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { Page } from '@/shared/ui/page'
import { QueryList } from '@/shared/ui/query-list'
import { EmptyState } from '@/shared/ui/states'
import { CreatePromotion } from '../components/promotion-form'
import { PromotionTable } from '../components/promotion-table'
import { promotionListQuery } from '../promotions-api'
import { EMPTY_PROMOTION } from '../promotions-model'

/** Banners, and bonus credits for a first purchase. */
export default function AdminPromotionsPage() {
  const { t } = useTranslation('promotions')
  const list = useInfiniteQuery(promotionListQuery())
  const [isCreating, setIsCreating] = useState(false)
  // Kept here: closing the dialog by accident loses nothing.
  const draft = useState(EMPTY_PROMOTION)
  const close = () => setIsCreating(false)
  const create = (
    <Button tone="primary" icon="plus" onClick={() => setIsCreating(true)}>
      {t('create.open')}
    </Button>
  )
  return (
    <Page title={t('title')} lead={t('lead')} actions={create}>
      <QueryList
        list={list}
        skeleton={{ height: 64, count: 6 }}
        empty={<EmptyState icon="megaphone" title={t('list.empty')} text={t('list.emptyText')} />}
      >
        {(promotions) => <PromotionTable promotions={promotions} />}
      </QueryList>
      <Dialog open={isCreating} onClose={close} title={t('create.open')} width={600}>
        <CreatePromotion draft={draft} onClose={close} />
      </Dialog>
    </Page>
  )
}
