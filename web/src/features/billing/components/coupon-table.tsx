import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Coupon } from '@/shared/api/types'
import { formatDate, formatNumber } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { CopyButton } from '@/shared/ui/copy-button'
import { type Column, DataTable } from '@/shared/ui/data-table'
import { Dialog } from '@/shared/ui/dialog'
import { Icon } from '@/shared/ui/icon'
import { couponCodesUrl, useChangeCoupon } from '../api'
import { couponState } from '../model'
import { useBenefitText } from '../use-benefit-text'
import { ActiveSwitch } from './active-switch'
import { CouponUses } from './coupon-uses'
import styles from './coupons.module.css'
import { EditCoupon } from './edit-coupon'

export function CouponTable({ coupons }: { coupons: Coupon[] }) {
  const { t } = useTranslation('coupons')
  return <DataTable name="coupons" caption={t('title')} rows={coupons} columns={useColumns()} />
}

function useColumns(): Column<Coupon>[] {
  const { t, i18n } = useTranslation('coupons')
  const benefitText = useBenefitText()
  const number = (value: number) => formatNumber(value, i18n.language)
  const used = ({ useCount, maxUses }: Coupon) =>
    maxUses ? t('list.usedOf', { used: number(useCount), most: number(maxUses) }) : number(useCount)
  const dates = ({ startsAt, endsAt }: Coupon) => {
    const [from, until] = [startsAt && formatDate(startsAt), endsAt && formatDate(endsAt)]
    if (from && until) return `${from} – ${until}`
    if (from) return t('list.from', { day: from })
    return until ? t('list.until', { day: until }) : t('list.always')
  }
  return [
    {
      key: 'name',
      title: t('list.name'),
      main: true,
      cell: (coupon) => <Name coupon={coupon} />,
      text: ({ name }) => name,
      sort: (a, b) => a.name.localeCompare(b.name, i18n.language),
    },
    {
      key: 'benefit',
      title: t('list.benefit'),
      cell: ({ benefit }) => <Words text={benefitText(benefit)} />,
      text: ({ benefit }) => benefitText(benefit),
    },
    {
      key: 'code',
      title: t('list.code'),
      cell: (coupon) => <Codes coupon={coupon} />,
      text: ({ code, codeCount }) => code ?? t('list.codes', { count: codeCount }),
    },
    {
      key: 'used',
      title: t('list.used'),
      cell: (coupon) => <Words text={used(coupon)} />,
      text: used,
      sort: (a, b) => a.useCount - b.useCount,
    },
    { key: 'dates', title: t('list.dates'), cell: (coupon) => <Words text={dates(coupon)} />, text: dates },
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
      cell: (coupon) => <CouponSwitch coupon={coupon} />,
      text: ({ isActive }) => t(isActive ? 'list.states.active' : 'list.states.inactive'),
    },
    { key: 'actions', title: t('list.actions'), cell: (coupon) => <Actions coupon={coupon} />, text: ({ _id }) => _id },
  ]
}

/** A narrow column does not break numbers and dates. */
const Words = ({ text }: { text: string }) => <span className={styles.words}>{text}</span>

function Name({ coupon }: { coupon: Coupon }) {
  const { t } = useTranslation('coupons')
  const state = couponState(coupon)
  return (
    <span className={styles.name}>
      {coupon.name}
      {state && <Chip tone={state === 'planned' ? 'plain' : 'warn'}>{t(`list.now.${state}`)}</Chip>}
    </span>
  )
}

function Codes({ coupon: { _id, code, codeCount, name } }: { coupon: Coupon }) {
  const { t } = useTranslation('coupons')
  const { t: common } = useTranslation()
  if (!code) {
    return (
      <a
        className={styles.codes}
        href={couponCodesUrl(_id)}
        download
        aria-label={t('list.codesOf', { name, count: codeCount })}
      >
        <Icon name="download" size={16} />
        {t('list.codes', { count: codeCount })}
      </a>
    )
  }
  return (
    <span className={styles.shared}>
      <code>{code}</code>
      <CopyButton text={code} label={common('copy')} />
    </span>
  )
}

function CouponSwitch({ coupon }: { coupon: Coupon }) {
  const { t } = useTranslation('coupons')
  const change = useChangeCoupon(coupon._id)
  return (
    <ActiveSwitch
      thing={coupon}
      change={change}
      done={(on) => t(on ? 'list.activated' : 'list.deactivated', { name: coupon.name })}
      failed={(message) => t('list.failed', { message })}
    />
  )
}

function Actions({ coupon }: { coupon: Coupon }) {
  const { t } = useTranslation('coupons')
  const [open, setOpen] = useState<'edit' | 'uses'>()
  const close = () => setOpen(undefined)
  const { name } = coupon
  return (
    <span className={styles.actions}>
      <Button
        size="small"
        icon="people"
        title={t('uses.open')}
        aria-label={t('uses.title', { name })}
        onClick={() => setOpen('uses')}
      />
      <Button
        size="small"
        icon="edit"
        title={t('edit.open')}
        aria-label={t('edit.title', { name })}
        onClick={() => setOpen('edit')}
      />
      <Dialog open={open === 'uses'} onClose={close} title={t('uses.title', { name })} width={560}>
        <CouponUses id={coupon._id} />
      </Dialog>
      <Dialog open={open === 'edit'} onClose={close} title={t('edit.title', { name })}>
        <EditCoupon coupon={coupon} onClose={close} />
      </Dialog>
    </span>
  )
}
