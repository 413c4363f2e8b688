import type { User } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import type { IconName } from '@/shared/ui/icon'

/** Keys of `common.nav`, and of `adminNav`, whose texts are loaded with the pages of admins. */
export type NavKey =
  | 'home'
  | 'createImage'
  | 'createVideo'
  | 'apps'
  | 'editor'
  | 'gallery'
  | 'workflows'
  | 'basicWorkflows'
  | 'pictures'
  | 'jobs'
  | 'profile'
  | 'account'
  | 'guidebook'
  | 'announcements'
  | 'leaveAdmin'
  | 'adminGallery'
  | 'adminWorkflows'
  | 'videos'
  | 'adminVideos'
  | 'adminCoupons'
  | 'adminPromotions'
  | 'adminItems'
  | 'adminOrders'
  | 'adminJobs'
  | 'adminSubscriptions'
  | 'adminRevenue'
  | 'notifications'
  | 'adminNotices'
  | 'adminTags'
  | 'adminBasics'
  | 'adminModeration'
  | 'adminComments'
  | 'adminPeople'
  | 'adminAddresses'
  | 'adminGenerators'
  | 'adminAudit'
  | 'adminUpkeep'
  | 'supportDesk'

/** Keys of `common.navGroups`. */
type UserGroupKey = 'create' | 'community' | 'mine' | 'help'

/** Keys of `adminNav.groups`. */
type AdminGroupKey = 'marketing' | 'user' | 'notice' | 'operation' | 'content' | 'system'

/** `outside` is an external page, if the operator has configured one. */
type Target =
  | { to: string | ((user: User) => string) }
  | { modal: 'guidebook' | 'announcements' }
  | { outside: 'supportDesk' }
/** `general` items need an account: guests see the login modal. */
export type NavItem = { key: NavKey; icon: IconName; general?: true } & Target
export type AdminNavGroup = { key: AdminGroupKey | null; isOfAdmins: true; items: NavItem[] }
export type NavGroup = { key: UserGroupKey | null; isOfAdmins?: never; items: NavItem[] } | AdminNavGroup

/** The side navigation. To add a page, add a line to its group and a title to `common.nav`. */
export const userGroups: NavGroup[] = [
  { key: null, items: [{ key: 'home', icon: 'home', to: paths.home() }] },
  {
    key: 'create',
    items: [
      { key: 'createImage', icon: 'wand', to: paths.createImage() },
      { key: 'createVideo', icon: 'video', to: paths.createVideo() },
      { key: 'apps', icon: 'apps', to: paths.apps() },
      { key: 'editor', icon: 'workflow', general: true, to: paths.editor() },
    ],
  },
  {
    key: 'community',
    items: [
      { key: 'workflows', icon: 'workflow', to: paths.workflows() },
      { key: 'basicWorkflows', icon: 'star', to: paths.basicWorkflows() },
      { key: 'gallery', icon: 'gallery', to: paths.gallery() },
      { key: 'videos', icon: 'video', to: paths.videos() },
    ],
  },
  {
    key: 'mine',
    items: [
      { key: 'pictures', icon: 'picture', general: true, to: paths.pictures() },
      { key: 'jobs', icon: 'jobs', general: true, to: paths.jobs() },
      { key: 'notifications', icon: 'bell', general: true, to: paths.notifications('ALL') },
      { key: 'profile', icon: 'account', general: true, to: (user) => paths.profile(user._id) },
      { key: 'account', icon: 'key', general: true, to: paths.account() },
    ],
  },
  {
    key: 'help',
    items: [
      { key: 'guidebook', icon: 'book', modal: 'guidebook' },
      { key: 'announcements', icon: 'megaphone', modal: 'announcements' },
    ],
  },
]

/** Target of the start button. */
export const START = paths.editor({ new: 'true' })
