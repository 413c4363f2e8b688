import { Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { VerifyNotice } from '@/features/auth'
import { BlockList } from '@/features/blocks'
import { AlertSettings } from '@/features/notifications'
import type { User } from '@/shared/api/types'
import { Skeleton } from '@/shared/ui/states'
import styles from './account-tab.module.css'
import { ConnectionsSection } from './connections-section'
import { DataSection } from './data-section'
import { PasswordSection } from './password-section'
import { ProfileSection } from './profile-section'
import { Section } from './section'
import { SessionsSection } from './sessions-section'

export default function AccountTab({ user }: { user: User }) {
  return (
    <div className={styles.sections}>
      <VerifyNotice user={user} />
      <ProfileSection user={user} />
      <PasswordSection user={user} />
      <ConnectionsSection user={user} />
      <SessionsSection />
      <AlertsSection />
      <BlocksSection />
      <DataSection user={user} />
    </div>
  )
}

/** Which notifications are mailed. Mails link here by `#notifications`. */
function AlertsSection() {
  const { t } = useTranslation('account')
  const { hash, key } = useLocation()
  const place = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls on each press of such a link.
  useEffect(() => {
    if (hash === '#notifications') place.current?.scrollIntoView({ block: 'start' })
  }, [hash, key])
  return (
    <Section title={t('alerts.title')} lead={t('alerts.text')} place={place}>
      <Suspense fallback={<Skeleton style={{ height: 320, borderRadius: 12 }} />}>
        <AlertSettings />
      </Suspense>
    </Section>
  )
}

function BlocksSection() {
  const { t } = useTranslation('account')
  return (
    <Section title={t('blocks.title')} lead={t('blocks.text')}>
      <BlockList />
    </Section>
  )
}
