import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { PersonCard } from '@/shared/api/types'
import { Avatar } from '@/shared/ui/avatar'
import styles from './person-line.module.css'

type PersonLineProps = { person: PersonCard | null | undefined; to: (id: string) => string; size?: number }

/** Somebody's picture and name, as a link. */
export function PersonLine({ person, to, size = 24 }: PersonLineProps) {
  const { t } = useTranslation('moderation')
  if (!person) return <span className={styles.none}>{t('nobody')}</span>
  return (
    <Link className={styles.person} to={to(person._id)}>
      <Avatar name={person.name} url={person.profile?.thumbnailUrl ?? person.socialProfile} size={size} />
      <span className={styles.name}>{person.name}</span>
    </Link>
  )
}
