import { Link } from 'react-router'
import type { PersonCard } from '@/shared/api/types'
import { usePersonName } from '@/shared/lib/person-name'
import { Avatar } from '@/shared/ui/avatar'
import styles from './person-line.module.css'

type PersonLineProps = { person: PersonCard | null | undefined; to: (id: string) => string; size?: number }

export function PersonLine({ person, to, size = 24 }: PersonLineProps) {
  const nameOf = usePersonName()
  if (!person) return <span className={styles.none}>{nameOf(person)}</span>
  return (
    <Link className={styles.person} to={to(person._id)}>
      <Avatar name={nameOf(person)} url={person.profile?.thumbnailUrl ?? person.socialProfile} size={size} />
      <span className={styles.name}>{nameOf(person)}</span>
    </Link>
  )
}
