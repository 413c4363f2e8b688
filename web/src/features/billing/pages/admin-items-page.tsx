import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { Page } from '@/shared/ui/page'
import { QueryList } from '@/shared/ui/query-list'
import { EmptyState } from '@/shared/ui/states'
import { CreateItem } from '../components/item-form'
import { ItemTable } from '../components/item-table'
import { EMPTY_ITEM } from '../items-model'
import { itemsQuery } from '../sold-api'

/** What the shop sells, and for how much. */
export default function AdminItemsPage() {
  const { t } = useTranslation('orders')
  const list = useInfiniteQuery(itemsQuery())
  const [isCreating, setIsCreating] = useState(false)
  // Kept here: closing the dialog by accident loses nothing.
  const draft = useState(EMPTY_ITEM)
  const close = () => setIsCreating(false)
  const create = (
    <Button tone="primary" icon="plus" onClick={() => setIsCreating(true)}>
      {t('items.create.open')}
    </Button>
  )
  return (
    <Page title={t('items.title')} lead={t('items.lead')} actions={create}>
      <QueryList
        list={list}
        skeleton={{ height: 64, count: 6 }}
        empty={<EmptyState icon="tag" title={t('items.empty')} text={t('items.emptyText')} />}
      >
        {(items) => <ItemTable items={items} />}
      </QueryList>
      <Dialog open={isCreating} onClose={close} title={t('items.create.open')}>
        <CreateItem draft={draft} onClose={close} />
      </Dialog>
    </Page>
  )
}
