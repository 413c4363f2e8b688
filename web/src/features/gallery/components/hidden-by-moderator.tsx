import { useTranslation } from 'react-i18next'
import type { OutputAsset } from '@/shared/api/types'
import { Icon } from '@/shared/ui/icon'
import styles from './hidden-by-moderator.module.css'

type HeldBackProps = { hidden: NonNullable<OutputAsset['moderation']>; small?: boolean }

/** Stands in for a picture hidden by a moderator: its file is not sent, not even to its owner. */
export function HiddenByModerator({ hidden, small = false }: HeldBackProps) {
  const { t } = useTranslation('moderation')
  const reasons = hidden.reasons.map((reason) => t(`reasons.${reason}`)).join(', ')
  return (
    <span className={small ? styles.small : styles.large}>
      <Icon name="eyeOff" size={small ? 24 : 40} />
      <strong>{t('heldBack.title')}</strong>
      {reasons && <span>{t('heldBack.reason', { reasons })}</span>}
      {!small && <span>{t('heldBack.text')}</span>}
    </span>
  )
}
