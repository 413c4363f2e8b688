import { paths } from '@/shared/lib/paths'
import type { AdminNavGroup } from './nav-items'

/** The navigation below /admin. */
export const adminGroups: AdminNavGroup[] = [
  { key: null, isOfAdmins: true, items: [{ key: 'leaveAdmin', icon: 'left', to: paths.home() }] },
  {
    key: 'marketing',
    isOfAdmins: true,
    items: [
      { key: 'adminCoupons', icon: 'bolt', to: paths.admin.coupons() },
      { key: 'adminPromotions', icon: 'megaphone', to: paths.admin.promotions() },
      { key: 'adminItems', icon: 'tag', to: paths.admin.items() },
      { key: 'adminOrders', icon: 'log', to: paths.admin.orders() },
      { key: 'adminSubscriptions', icon: 'reset', to: paths.admin.subscriptions() },
      { key: 'adminRevenue', icon: 'up', to: paths.admin.revenue() },
      { key: 'adminVideos', icon: 'video', to: paths.admin.videos() },
    ],
  },
  {
    key: 'user',
    isOfAdmins: true,
    items: [
      { key: 'adminPeople', icon: 'people', to: paths.admin.people() },
      { key: 'adminComments', icon: 'speech', to: paths.admin.comments() },
      { key: 'adminAddresses', icon: 'globe', to: paths.admin.addresses() },
    ],
  },
  { key: 'notice', isOfAdmins: true, items: [{ key: 'adminNotices', icon: 'megaphone', to: paths.admin.notices() }] },
  { key: 'operation', isOfAdmins: true, items: [{ key: 'supportDesk', icon: 'open', outside: 'supportDesk' }] },
  {
    key: 'content',
    isOfAdmins: true,
    items: [
      { key: 'adminModeration', icon: 'flag', to: paths.admin.moderation() },
      { key: 'adminBasics', icon: 'star', to: paths.admin.basics() },
      { key: 'adminWorkflows', icon: 'workflow', to: paths.admin.workflows() },
      { key: 'adminTags', icon: 'tag', to: paths.admin.tags() },
      { key: 'adminGallery', icon: 'gallery', to: paths.admin.gallery() },
      { key: 'adminJobs', icon: 'jobs', to: paths.admin.jobs() },
    ],
  },
  {
    key: 'system',
    isOfAdmins: true,
    items: [
      { key: 'adminGenerators', icon: 'wand', to: paths.admin.generators() },
      { key: 'adminAudit', icon: 'log', to: paths.admin.audit() },
      { key: 'adminUpkeep', icon: 'clock', to: paths.admin.upkeep() },
    ],
  },
]
