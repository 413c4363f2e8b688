import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Segments } from '@/shared/ui/segments'
import styles from '../pages/profile-page.module.css'
import type { TabProps } from '../tabs'
import PictureTab from './picture-tab'
import { WorkflowTab } from './workflow-tab'

const KINDS = ['images', 'workflows'] as const

/** What the person likes: pictures or workflows. */
export default function FavoriteTab(props: TabProps) {
  const { t } = useTranslation('profile')
  const [kind, setKind] = useState<(typeof KINDS)[number]>('images')
  return (
    <>
      <div className={styles.kinds}>
        <Segments
          label={t('favorite.label')}
          options={KINDS.map((key) => ({ key, title: t(`favorite.${key}`) }))}
          value={kind}
          onChange={setKind}
        />
      </div>
      {kind === 'images' ? (
        <PictureTab {...props} kind="favorite" />
      ) : (
        <WorkflowTab {...props} kind="favoriteWorkflows" />
      )}
    </>
  )
}
