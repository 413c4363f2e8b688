import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Sheet } from '@/shared/ui/sheet'
import { Box } from './box'
import { Popover } from './popover'

type BoxLayerProps = { wide: boolean; opener: RefObject<HTMLButtonElement | null>; onClose: () => void }

/** The box below its bell, or from below where it is narrow. */
export default function BoxLayer({ wide, opener, onClose }: BoxLayerProps) {
  const { t } = useTranslation('notifications')
  if (!wide) {
    return (
      <Sheet open onClose={onClose} title={t('title')}>
        <Box onGo={onClose} />
      </Sheet>
    )
  }
  return (
    <Popover label={t('title')} opener={opener} onClose={onClose}>
      <Box onGo={onClose} titled />
    </Popover>
  )
}
