import { type ChangeEvent, type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { normalizeName } from '@/shared/lib/names'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { Icon } from '@/shared/ui/icon'
import { Menu, type MenuItem } from '@/shared/ui/menu'
import { MAX_NAME } from '../model'
import styles from './editor.module.css'

type EditorBarProps = {
  name: string
  /** The name is another user's. */
  fixed: boolean
  state: 'loading' | 'unsaved' | 'saved' | 'new' | 'others'
  busy: boolean
  disabled: boolean
  onRename: (name: string) => void
  onSave: () => void
  onPublish: () => void
  items: MenuItem[]
  price: ReactNode
}

const TONES = { loading: 'plain', unsaved: 'warn', saved: 'good', new: 'plain', others: 'plain' } as const

/** The name of the project, whether it is saved, what a run costs, and the actions. */
export function EditorBar(props: EditorBarProps) {
  const { name, fixed, state, busy, disabled, onRename, onSave, onPublish, items, price } = props
  const { t } = useTranslation('nodeEditor')
  return (
    <header className={styles.bar}>
      <ProjectName name={name} fixed={fixed || disabled} onRename={onRename} />
      <span role="status">
        <Chip tone={TONES[state]}>{t(`state.${state}`)}</Chip>
      </span>
      {price}
      <span className={styles.actions}>
        <Button tone="primary" size="small" icon="check" busy={busy} disabled={disabled} onClick={onSave}>
          {t('save')}
        </Button>
        <Button tone="outline" size="small" icon="upload" disabled={disabled} onClick={onPublish}>
          {t('publish')}
        </Button>
        <Menu label={t('more')} className={styles.menu} trigger={<Icon name="dots" size={20} />} items={items} />
      </span>
    </header>
  )
}

type ProjectNameProps = { name: string; fixed: boolean; onRename: (name: string) => void }

/** Renamed by Enter or by leaving the field. */
function ProjectName({ name, fixed, onRename }: ProjectNameProps) {
  const { t } = useTranslation('nodeEditor')
  const [typed, setTyped] = useState(name)
  useEffect(() => setTyped(name), [name])
  const end = () => {
    const tidy = normalizeName(typed, MAX_NAME)
    setTyped(tidy || name)
    if (tidy && tidy !== name) onRename(tidy)
  }
  return (
    <div className={styles.heading}>
      <h1 className="visually-hidden">{t('title')}</h1>
      <input
        className={styles.name}
        aria-label={t('name')}
        value={typed}
        maxLength={MAX_NAME}
        readOnly={fixed}
        onChange={({ target }: ChangeEvent<HTMLInputElement>) => setTyped(target.value)}
        onBlur={end}
        onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
          // Enter also ends the input of a Korean syllable.
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.currentTarget.blur()
          if (event.key === 'Escape') setTyped(name)
        }}
      />
    </div>
  )
}
