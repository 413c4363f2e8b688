import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { WhoEditor } from '@/features/account'
import { useUser } from '@/features/auth'
import type { Profile } from '@/shared/api/types'
import { formatCount, formatDate } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { Avatar } from '@/shared/ui/avatar'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Skeleton } from '@/shared/ui/states'
import styles from '../pages/profile-page.module.css'
import { ContactForm } from './contact-form'
import { ContactPoints } from './contact-points'
import { PersonMenu } from './person-menu'

/** Who this is, what they have published, and where they can be reached. Only the person sees ways to change it. */
export function ProfileHeader({ profile, own }: { profile: Profile; own: boolean }) {
  const { t } = useTranslation('profile')
  const [editing, setEditing] = useState<'who' | 'contacts' | null>(null)
  const turn = (what: 'who' | 'contacts') => setEditing(editing === what ? null : what)
  const user = useUser()
  // What the person changes here shows at once.
  const { name, profile: portrait } = own && user ? user : profile
  const { workflows, images, likes } = profile.counts
  const counts = [
    { key: 'workflows', count: workflows },
    { key: 'images', count: images },
    { key: 'likes', count: likes },
  ] as const
  return (
    <header className={styles.head}>
      <Avatar name={name} url={portrait?.thumbnailUrl ?? profile.socialProfile} size={96} />
      <div className={styles.who}>
        <h1 className={styles.name}>
          {name}
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
        {own && user && editing === 'who' && (
          <section className={styles.form} aria-label={t('edit')}>
            <Suspense fallback={<Skeleton style={{ height: 160 }} />}>
              <WhoEditor user={user} />
            </Suspense>
            <div className={styles.formActions}>
              <ButtonLink tone="ghost" to={paths.account()}>
                {t('settings')}
              </ButtonLink>
              <Button onClick={() => setEditing(null)}>{t('done')}</Button>
            </div>
          </section>
        )}
        {editing === 'contacts' ? (
          <ContactForm profile={profile} onDone={() => setEditing(null)} />
        ) : (
          <ContactPoints profile={profile} />
        )}
      </div>
      {!own && <PersonMenu profile={profile} />}
      {own && (
        <div className={styles.edit}>
          <Button icon="edit" aria-expanded={editing === 'who'} onClick={() => turn('who')}>
            {t('edit')}
          </Button>
          <Button icon="link" aria-expanded={editing === 'contacts'} onClick={() => turn('contacts')}>
            {t('contacts.edit')}
          </Button>
        </div>
      )}
    </header>
  )
}
