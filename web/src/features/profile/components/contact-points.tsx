import { useTranslation } from 'react-i18next'
import type { Profile } from '@/shared/api/types'
import { Icon } from '@/shared/ui/icon'
import { CONTACT_ICONS, contactHref, contactsOf, contactText } from '../model'
import styles from '../pages/profile-page.module.css'

/** Where a person can be reached. */
export function ContactPoints({ profile }: { profile: Profile }) {
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
