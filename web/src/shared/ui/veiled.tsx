import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isVeiling, useNsfwChoice } from '@/shared/lib/nsfw'
import { Icon } from './icon'
import styles from './veiled.module.css'

/** What somebody asked for stays in sight while the page is open, also where it is drawn anew. */
const lifted = new Set<string>()

/** Whether something sensitive is veiled on this browser, and how to see it. `id` names it on every page. */
export function useVeil(nsfw: boolean, id: string): { veiled: boolean; lift: () => void } {
  const choice = useNsfwChoice()
  const [, redraw] = useState(0)
  const lift = () => {
    lifted.add(id)
    redraw((times) => times + 1)
  }
  return { veiled: nsfw && isVeiling(choice) && !lifted.has(id), lift }
}

/** A blurred picture, and the button that asks for it. */
export function Veil({ children, onLift }: { children: ReactNode; onLift: () => void }) {
  const { t } = useTranslation()
  return (
    <span className={styles.frame}>
      <span className={styles.blurred} aria-hidden="true">
        {children}
      </span>
      <button type="button" className={styles.veil} onClick={onLift}>
        <Icon name="eyeOff" size={22} />
        <span className={styles.words}>{t('sensitive.veiled')}</span>
        <span className={styles.lift}>{t('sensitive.lift')}</span>
      </button>
    </span>
  )
}

/** A picture that is blurred until somebody asks for it, where this browser wants that. */
export function Veiled({ nsfw, children }: { nsfw: boolean; children: ReactNode }) {
  const { veiled, lift } = useVeil(nsfw, useId())
  return veiled ? <Veil onLift={lift}>{children}</Veil> : children
}
