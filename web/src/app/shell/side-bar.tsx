import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '@/shared/lib/class-names'
import { local } from '@/shared/lib/storage'
import { Icon } from '@/shared/ui/icon'
import { Brand } from './brand'
import { NavLinks } from './nav-links'
import styles from './navigation.module.css'

const FOLDED = 'vg.sideFolded'

/** The navigation on wide screens, open or folded to icons. The choice is stored. */
export function SideBar() {
  const { t } = useTranslation()
  const [folded, setFolded] = useState(local.get(FOLDED) === 'yes')
  const toggle = () => {
    local.set(FOLDED, folded ? 'no' : 'yes')
    setFolded(!folded)
  }
  return (
    <nav className={classNames(styles.side, folded && styles.folded)} aria-label={t('mainNavigation')}>
      <div className={styles.top}>
        <Brand folded={folded} />
      </div>
      <NavLinks folded={folded} />
      <button type="button" className={styles.fold} aria-label={t(folded ? 'unfoldMenu' : 'foldMenu')} onClick={toggle}>
        <Icon name={folded ? 'unfold' : 'fold'} />
      </button>
    </nav>
  )
}
