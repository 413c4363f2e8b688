import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from './icon'
import styles from './no-preview.module.css'

const ICONS = { image: 'picture', video: 'video', audio: 'play', file: 'log' } as const satisfies Record<
  string,
  IconName
>

type NoPreviewProps = { kind: keyof typeof ICONS; name?: string | null | undefined; small?: boolean }

/** A placeholder for a file without preview: its kind, its name and the reason. */
export function NoPreview({ kind, name, small = false }: NoPreviewProps) {
  const { t } = useTranslation('files')
  return (
    <span className={small ? styles.small : styles.large}>
      <Icon name={ICONS[kind]} size={small ? 24 : 40} />
      {name && <strong className={styles.name}>{name}</strong>}
      {!small && (kind === 'image' || kind === 'file') && <span>{t(`noPreview.${kind}`)}</span>}
    </span>
  )
}
