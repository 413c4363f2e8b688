import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { GuestState, SignedInOnly } from '@/features/auth'
import { OwnCoupons, OwnMethods, OwnOrders } from '@/features/billing'
import { chunk } from '@/shared/lib/chunk'
import { withParams } from '@/shared/lib/with-params'
import { lazyPart } from '@/shared/ui/lazy-part'
import { Page } from '@/shared/ui/page'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { PageSpinner } from '@/shared/ui/spinner'
import { Tabs } from '@/shared/ui/tabs'

const AccountTab = lazyPart(chunk(() => import('../components/account-tab')))
const SubscriptionTab = lazyPart(chunk(() => import('../components/subscription-tab')))
const CreditsTab = lazyPart(chunk(() => import('../components/credits-tab')))
const Webhooks = lazyPart(
  chunk(
    () => import('@/features/webhooks'),
    (module) => ({ default: module.Webhooks }),
  ),
)
const KeysTab = lazyPart(chunk(() => import('../components/keys-tab')))

const TABS = ['account', 'subscription', 'payment', 'coupon', 'credits', 'orders', 'keys', 'webhooks'] as const

export default function AccountPage() {
  const { t } = useTranslation('account')
  const [params, setParams] = useSearchParams()
  const active = TABS.find((tab) => tab === params.get('tab')) ?? 'account'
  return (
    <Page title={t('title')} narrow>
      <SignedInOnly guest={<GuestState icon="account" title={t('guestTitle')} text={t('guestText')} />}>
        {(user) => (
          <Tabs
            label={t('title')}
            tabs={TABS.map((key) => ({ key, title: t(`tabs.${key}`) }))}
            active={active}
            onChange={(tab) => setParams(withParams(params, { tab: tab === 'account' ? '' : tab }), { replace: true })}
          >
            <PartBoundary key={active}>
              <Suspense fallback={<PageSpinner />}>
                {active === 'account' && <AccountTab user={user} />}
                {active === 'subscription' && <SubscriptionTab />}
                {active === 'payment' && <OwnMethods />}
                {active === 'coupon' && <OwnCoupons />}
                {active === 'credits' && <CreditsTab />}
                {active === 'orders' && <OwnOrders />}
                {active === 'keys' && <KeysTab />}
                {active === 'webhooks' && <Webhooks api={null} />}
              </Suspense>
            </PartBoundary>
          </Tabs>
        )}
      </SignedInOnly>
    </Page>
  )
}
