import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Sheet } from '@/shared/ui/sheet'
import { Inbox } from './inbox'
import { Popover } from './popover'

type InboxLayerProps = { wide: boolean; opener: RefObject<HTMLButtonElement | null>; onClose: () => void }

/** The inbox as a popover, or as a sheet on narrow screens. */
export default function InboxLayer({ wide, opener, onClose }: InboxLayerProps) {
  const { t } = useTranslation('notifications')
  if (!wide) {
    return (
      <Sheet open onClose={onClose} title={t('title')}>
        <Inbox onGo={onClose} />
      </Sheet>
    )
  }
  return (
    <Popover label={t('title')} opener={opener} onClose={onClose}>
      <Inbox onGo={onClose} titled />
    </Popover>
  )
}
