import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '@/shared/lib/class-names'
import { Icon } from '@/shared/ui/icon'
import { useNsfwChoice } from '../nsfw'
import styles from './veiled.module.css'

/** A picture that is blurred until somebody asks for it, where this browser wants that. */
export function Veiled({ nsfw, children }: { nsfw: boolean; children: ReactNode }) {
  const { t } = useTranslation('workflows')
  const choice = useNsfwChoice()
  const [lifted, setLifted] = useState(false)
  if (!nsfw || choice === 'show' || lifted) return children
  return (
    <span className={styles.frame}>
      <span className={classNames(styles.blurred)} aria-hidden="true">
        {children}
      </span>
      <button type="button" className={styles.veil} onClick={() => setLifted(true)}>
        <Icon name="eyeOff" size={22} />
        <span className={styles.words}>{t('nsfw.veiled')}</span>
        <span className={styles.lift}>{t('nsfw.lift')}</span>
      </button>
    </span>
  )
}
