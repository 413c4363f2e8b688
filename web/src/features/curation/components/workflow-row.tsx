import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Workflow } from '@/shared/api/types'
import { pictureOf } from '@/shared/lib/media'
import { paths } from '@/shared/lib/paths'
import { useTranslated } from '@/shared/lib/translated'
import { Chip } from '@/shared/ui/chip'
import { Picture } from '@/shared/ui/picture'
import styles from './workflow-row.module.css'

type WorkflowRowProps = { workflow: Workflow; handle?: ReactNode; number?: number; action: ReactNode }

export function WorkflowRow({ workflow, handle, number, action }: WorkflowRowProps) {
  const { t } = useTranslation('curation')
  const translated = useTranslated()
  const cover = workflow.cover ?? workflow.thumbnails[0] ?? null
  return (
    <div className={styles.row}>
      {handle}
      {number !== undefined && <span className={styles.number}>{number}</span>}
      <Picture className={styles.picture} {...pictureOf(cover)} alt="" ratio={1} />
      <span className={styles.words}>
        <Link className={styles.name} to={paths.admin.workflow(workflow._id)}>
          {translated(workflow).name}
        </Link>
        <span className={styles.meta}>
          {workflow.user?.name ?? t('basics.noAuthor')}
          {workflow.isPrivate && <Chip tone="warn">{t('basics.hidden')}</Chip>}
        </span>
      </span>
      {action}
    </div>
  )
}
