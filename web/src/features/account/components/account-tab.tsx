import { VerifyNotice } from '@/features/auth'
import type { User } from '@/shared/api/types'
import styles from './account-tab.module.css'
import { AlertsSection } from './alerts-section'
import { BlocksSection } from './blocks-section'
import { ConnectionsSection } from './connections-section'
import { DataSection } from './data-section'
import { PasswordSection } from './password-section'
import { ProfileSection } from './profile-section'
import { SessionsSection } from './sessions-section'

/** Everything about the person: who they are, how they get in, what is kept, and the way out. */
export function AccountTab({ user }: { user: User }) {
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
