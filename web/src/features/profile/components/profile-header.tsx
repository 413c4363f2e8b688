import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProfileEditor } from '@/features/account'
import { useUser } from '@/features/auth'
import type { Profile } from '@/shared/api/types'
import { chunk } from '@/shared/lib/chunk'
import { formatCount, formatDate } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { Avatar } from '@/shared/ui/avatar'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import { lazyPart } from '@/shared/ui/lazy-part'
import { Skeleton } from '@/shared/ui/states'
import { CONTACT_ICONS, contactHref, contactsOf, contactText } from '../model'
import styles from '../pages/profile-page.module.css'
import { PersonMenu } from './person-menu'

const ContactForm = lazyPart(chunk(() => import('./contact-form')))

/** Name, counts and contact points. Only the owner can edit them. */
export function ProfileHeader({ profile, own }: { profile: Profile; own: boolean }) {
  const { t } = useTranslation('profile')
  const [editing, setEditing] = useState<'who' | 'contacts' | null>(null)
  const turn = (what: 'who' | 'contacts') => setEditing(editing === what ? null : what)
  const user = useUser()
  // Shows own changes at once.
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
              <ProfileEditor user={user} />
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
          <Suspense fallback={<Skeleton style={{ height: 160 }} />}>
            <ContactForm profile={profile} onDone={() => setEditing(null)} />
          </Suspense>
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

function ContactPoints({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profile')
  const contacts = contactsOf(profile.contactPoints)
  if (contacts.length === 0) return null
  return (
    <ul className={styles.contacts} aria-label={t('contacts.title')}>
      {contacts.map((contact) => (
        <li key={contact.kind}>
          <a
            href={contactHref(contact)}
            target={contact.kind === 'email' ? undefined : '_blank'}
            rel="ugc nofollow noopener noreferrer"
          >
            <Icon name={CONTACT_ICONS[contact.kind]} size={16} />
            <span className="visually-hidden">{t(`contacts.kind.${contact.kind}`)}</span>
            <bdi>{contactText(contact)}</bdi>
          </a>
        </li>
      ))}
    </ul>
  )
}
