import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hidesNsfw, useNsfwChoice } from '@/shared/lib/nsfw'
import { Icon } from './icon'
import styles from './nsfw-overlay.module.css'

/** Revealed items stay visible until the page is reloaded, also when they are rendered again. */
const revealed = new Set<string>()

/** Whether an NSFW item is hidden in this browser, and the function that reveals it. `id` is unique across pages. */
export function useNsfwOverlay(nsfw: boolean, id: string): { hidden: boolean; reveal: () => void } {
  const choice = useNsfwChoice()
  const [, redraw] = useState(0)
  const reveal = () => {
    revealed.add(id)
    redraw((times) => times + 1)
  }
  return { hidden: nsfw && hidesNsfw(choice) && !revealed.has(id), reveal }
}

/** A blurred picture with the button that reveals it. */
export function NsfwOverlay({ children, onReveal }: { children: ReactNode; onReveal: () => void }) {
  const { t } = useTranslation()
  return (
    <span className={styles.frame}>
      <span className={styles.blurred} aria-hidden="true">
        {children}
      </span>
      <button type="button" className={styles.overlay} onClick={onReveal}>
        <Icon name="eyeOff" size={22} />
        <span className={styles.words}>{t('sensitive.veiled')}</span>
        <span className={styles.reveal}>{t('sensitive.lift')}</span>
      </button>
    </span>
  )
}

/** Blurs NSFW content until it is revealed, if this browser hides it. */
export function NsfwBlur({ nsfw, children }: { nsfw: boolean; children: ReactNode }) {
  const { hidden, reveal } = useNsfwOverlay(nsfw, useId())
  return hidden ? <NsfwOverlay onReveal={reveal}>{children}</NsfwOverlay> : children
}
