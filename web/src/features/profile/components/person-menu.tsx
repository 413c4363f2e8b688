import { useTranslation } from 'react-i18next'
import { useRequireUser } from '@/features/auth'
import { useBlocking, useIsBlocked } from '@/features/blocks'
import type { Profile } from '@/shared/api/types'
import { copyText } from '@/shared/lib/clipboard'
import { paths } from '@/shared/lib/paths'
import { Chip } from '@/shared/ui/chip'
import { Icon } from '@/shared/ui/icon'
import { Menu, type MenuItem } from '@/shared/ui/menu'
import { openModal } from '@/shared/ui/modals'
import { toast } from '@/shared/ui/toast'
import styles from '../pages/profile-page.module.css'

export function PersonMenu({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profile')
  const { t: common } = useTranslation()
  const { t: blocks } = useTranslation('blocks')
  const asUser = useRequireUser()
  const blocking = useBlocking()
  const blocked = useIsBlocked(profile._id)
  const copy = () =>
    void copyText(new URL(paths.profile(profile._id), window.location.origin).href).then(
      () => toast.success(t('linkCopied')),
      () => toast.error(common('copyFailed')),
    )
  const block = () => asUser(() => void blocking.block(profile))
  const items: MenuItem[] = [
    { key: 'link', title: t('copyLink'), icon: 'link', onSelect: copy },
    blocked
      ? { key: 'unblock', title: blocks('unblock'), icon: 'ban', onSelect: () => blocking.unblock(profile) }
      : { key: 'block', title: blocks('block'), icon: 'ban', onSelect: block },
  ]
  const portrait = profile.profile?._id
  if (portrait) {
    const report = () => asUser(() => openModal('report', { kind: 'Asset', id: portrait }))
    items.push({ key: 'report', title: t('reportPortrait'), icon: 'flag', onSelect: report })
  }
  return (
    <div className={styles.menu}>
      {blocked && <Chip tone="bad">{t('blocked')}</Chip>}
      <Menu
        label={t('menu', { name: profile.name })}
        className={styles.dots}
        trigger={<Icon name="dots" />}
        items={items}
      />
    </div>
  )
}
