import type { ReactNode } from 'react'
import type { Profile } from '@/shared/api/types'
import { chunk } from '@/shared/lib/chunk'
import type { ProfileTab } from '@/shared/lib/paths'
import { lazyPart } from '@/shared/ui/lazy-part'
import { WorkflowTab } from './components/workflow-tab'

const FavoriteTab = lazyPart(chunk(() => import('./components/favorite-tab')))
const PictureTab = lazyPart(chunk(() => import('./components/picture-tab')))

export type TabProps = { profile: Profile; reveal: { key: string } | null | undefined }

/** `own` tabs are for the owner and admins. */
export type Tab = { key: ProfileTab; own: boolean; show: (props: TabProps) => ReactNode }

/** The nested pages of a profile; the first is the default. */
export const TABS: Tab[] = [
  { key: 'workflows', own: false, show: (props) => <WorkflowTab {...props} kind="workflows" /> },
  { key: 'gallery', own: false, show: (props) => <PictureTab {...props} kind="gallery" /> },
  { key: 'workflow-files', own: true, show: (props) => <WorkflowTab {...props} kind="workflow-files" /> },
  { key: 'image-files', own: true, show: (props) => <PictureTab {...props} kind="image-files" /> },
  { key: 'favorite', own: true, show: (props) => <FavoriteTab {...props} /> },
]
