import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Promotion } from '@/shared/api/types'
import { formatDate } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { type Column, DataTable } from '@/shared/ui/data-table'
import { Dialog } from '@/shared/ui/dialog'
import { useChangePromotion } from '../promotions-api'
import { promotionState } from '../promotions-model'
import { ActiveSwitch } from './active-switch'
import styles from './coupons.module.css'
import { EditPromotion } from './promotion-form'

export function PromotionTable({ promotions }: { promotions: Promotion[] }) {
  const { t } = useTranslation('promotions')
  return <DataTable name="promotions" caption={t('title')} rows={promotions} columns={useColumns()} />
}

function useColumns(): Column<Promotion>[] {
  const { t, i18n } = useTranslation('promotions')
  const offer = ({ kind, percent, textEn, textKo }: Promotion) =>
    kind === 'FirstPurchase'
      ? t('list.bonus', { percent })
      : t('list.banner', { text: i18n.language === 'ko' ? textKo : textEn })
  const dates = ({ startsAt, endsAt }: Promotion) => {
    const [from, until] = [startsAt && formatDate(startsAt), endsAt && formatDate(endsAt)]
    if (from && until) return `${from} – ${until}`
    if (from) return t('list.from', { day: from })
    return until ? t('list.until', { day: until }) : t('list.always')
  }
  return [
    {
      key: 'name',
      title: t('form.name'),
      main: true,
      cell: (promotion) => <Name promotion={promotion} />,
      text: ({ name }) => name,
      sort: (a, b) => a.name.localeCompare(b.name, i18n.language),
    },
    {
      key: 'offer',
      title: t('list.offer'),
      cell: (promotion) => <Words text={offer(promotion)} />,
      text: offer,
    },
    {
      key: 'audience',
      title: t('form.audience'),
      optional: true,
      cell: ({ audience }) => <Words text={audience ? t(`form.audiences.${audience}`) : t('list.buyers')} />,
      text: ({ audience }) => (audience ? t(`form.audiences.${audience}`) : t('list.buyers')),
    },
    { key: 'dates', title: t('list.dates'), cell: (promotion) => <Words text={dates(promotion)} />, text: dates },
    {
      key: 'created',
      title: t('list.created'),
      optional: true,
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDate(createdAt)}</time>,
      text: ({ createdAt }) => createdAt,
      sort: (a, b) => a.createdAt.localeCompare(b.createdAt),
    },
    {
      key: 'active',
      title: t('list.state'),
      cell: (promotion) => <PromotionSwitch promotion={promotion} />,
      text: ({ isActive }) => t(isActive ? 'list.active' : 'list.inactive'),
    },
    {
      key: 'actions',
      title: t('list.actions'),
      cell: (promotion) => <Edit promotion={promotion} />,
      text: ({ _id }) => _id,
    },
  ]
}

/** A narrow column does not break numbers and dates. */
const Words = ({ text }: { text: string }) => <span className={styles.words}>{text}</span>

function Name({ promotion }: { promotion: Promotion }) {
  const { t } = useTranslation('promotions')
  const state = promotionState(promotion)
  return (
    <span className={styles.name}>
      {promotion.name}
      {state && <Chip tone={state === 'planned' ? 'plain' : 'warn'}>{t(`list.now.${state}`)}</Chip>}
    </span>
  )
}

function PromotionSwitch({ promotion }: { promotion: Promotion }) {
  const { t } = useTranslation('promotions')
  const change = useChangePromotion(promotion._id)
  return (
    <ActiveSwitch
      thing={promotion}
      change={change}
      done={(on) => t(on ? 'list.activated' : 'list.deactivated', { name: promotion.name })}
      failed={(message) => t('list.failed', { message })}
    />
  )
}

function Edit({ promotion }: { promotion: Promotion }) {
  const { t } = useTranslation('promotions')
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  const title = t('edit.title', { name: promotion.name })
  return (
    <>
      <Button size="small" icon="edit" title={t('edit.open')} aria-label={title} onClick={() => setIsOpen(true)} />
      <Dialog open={isOpen} onClose={close} title={title} width={600}>
        <EditPromotion promotion={promotion} onClose={close} />
      </Dialog>
    </>
  )
}
