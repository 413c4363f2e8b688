import { useTranslation } from 'react-i18next'
import styles from './modal-host.module.css'

/** All shortcuts, by their key in `shortcuts`. */
const SHORTCUTS = [
  { key: 'search', keys: ['/'] },
  { key: 'list', keys: ['?'] },
  { key: 'close', keys: ['Esc'] },
  { key: 'neighbours', keys: ['←', '→'] },
  { key: 'selectOne', keys: ['Ctrl / ⌘', 'Click'] },
  { key: 'selectRange', keys: ['Shift', 'Click'] },
  { key: 'maskTools', keys: ['B', 'E', 'G'] },
  { key: 'maskSize', keys: ['[', ']'] },
  { key: 'maskPan', keys: ['Space'] },
  { key: 'maskLine', keys: ['Shift', 'Click'] },
  { key: 'maskErase', keys: ['RightButton'] },
  { key: 'maskKeys', keys: ['←', '→', '↑', '↓'] },
  { key: 'maskPress', keys: ['Enter'] },
  { key: 'maskUndo', keys: ['Ctrl / ⌘', 'Z'] },
  { key: 'maskRedo', keys: ['Ctrl / ⌘', 'Shift', 'Z'] },
  { key: 'maskSave', keys: ['Ctrl / ⌘', 'S'] },
] as const

export default function ShortcutList() {
  const { t } = useTranslation('shortcuts')
  return (
    <dl className={styles.keys}>
      {SHORTCUTS.map(({ key, keys }) => (
        <div key={key} className={styles.keyRow}>
          <dt>{t(key)}</dt>
          <dd>
            {keys.map((name) => (
              <kbd key={name}>{name === 'Click' ? t('click') : name === 'RightButton' ? t('rightButton') : name}</kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}
