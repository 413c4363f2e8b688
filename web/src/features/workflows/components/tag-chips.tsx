import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { WorkflowTagCard } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { shortened, tagName, tagSearch } from '../model'
import styles from './tag-chips.module.css'

type Tag = Pick<WorkflowTagCard, '_id' | 'name' | 'nameKo' | 'depth'>

export function TagChips({ tags, current }: { tags: Tag[]; current?: string | undefined }) {
  const { i18n } = useTranslation()
  if (tags.length === 0) return null
  return (
    <ul className={styles.chips}>
      {tags.map((tag) => {
        const name = tagName(tag, i18n.language)
        return (
          <li key={tag._id}>
            <Link
              className={styles.chip}
              to={paths.search(tagSearch(tag))}
              title={name}
              aria-current={tag._id === current ? 'page' : undefined}
            >
              {shortened(name)}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
