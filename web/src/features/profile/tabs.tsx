import type { ReactNode } from 'react'
import type { Profile } from '@/shared/api/types'
import type { ProfileTab } from '@/shared/lib/paths'
import { PictureTab } from './components/picture-tab'

export type TabProps = { profile: Profile; reveal: { key: string } | null | undefined }

/** `own` tabs are for the person and for admins. */
type Tab = { key: ProfileTab; own: boolean; show: (props: TabProps) => ReactNode }

/** The nested pages of a profile, in their order; the first is shown where the address names none. */
export const TABS: Tab[] = [
  { key: 'gallery', own: false, show: (props) => <PictureTab {...props} kind="gallery" /> },
  { key: 'image-files', own: true, show: (props) => <PictureTab {...props} kind="image-files" /> },
  { key: 'favorite', own: true, show: (props) => <PictureTab {...props} kind="favorite" /> },
]
