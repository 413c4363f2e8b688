import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Profile } from '@/shared/api/types'
import { formatCount, formatDate } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { Avatar } from '@/shared/ui/avatar'
import { Button, ButtonLink } from '@/shared/ui/button'
import styles from '../pages/profile-page.module.css'
import { ContactForm } from './contact-form'
import { ContactPoints } from './contact-points'
import { PersonMenu } from './person-menu'

/** Who this is, what they have published, and where they can be reached. Only the person sees ways to change it. */
export function ProfileHeader({ profile, own }: { profile: Profile; own: boolean }) {
  const { t } = useTranslation('profile')
  const [editing, setEditing] = useState(false)
  const { workflows, images, likes } = profile.counts
  const counts = [
    { key: 'workflows', count: workflows },
    { key: 'images', count: images },
    { key: 'likes', count: likes },
  ] as const
  return (
    <header className={styles.head}>
      <Avatar name={profile.name} url={profile.profile?.thumbnailUrl ?? profile.socialProfile} size={96} />
      <div className={styles.who}>
        <h1 className={styles.name}>
          {profile.name}
          <span className={styles.tag}>{profile.nameTag}</span>
        </h1>
        <dl className={styles.counts}>
          {counts.map(({ key, count }) => (
            <div key={key}>
              <dt>{t(`counts.${key}`)}</dt>
              <dd>{formatCount(count)}</dd>
            </div>
          ))}
          <div className={styles.since}>
            <dt>{t('since')}</dt>
            <dd>{formatDate(profile.createdAt)}</dd>
          </div>
        </dl>
        {editing ? (
          <ContactForm profile={profile} onDone={() => setEditing(false)} />
        ) : (
          <ContactPoints profile={profile} />
        )}
      </div>
      {!own && <PersonMenu profile={profile} />}
      {own && !editing && (
        <div className={styles.edit}>
          <ButtonLink icon="edit" to={paths.account()}>
            {t('edit')}
          </ButtonLink>
          <Button icon="link" onClick={() => setEditing(true)}>
            {t('contacts.edit')}
          </Button>
        </div>
      )}
    </header>
  )
}
