import type { User } from '@/shared/api/types'
import styles from './account-tab.module.css'
import { NameForm } from './name-form'
import { Portrait } from './portrait'

export default function ProfileEditor({ user }: { user: User }) {
  return (
    <div className={styles.body}>
      <Portrait user={user} />
      <NameForm user={user} />
    </div>
  )
}
