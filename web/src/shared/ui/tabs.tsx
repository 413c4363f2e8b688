import { type KeyboardEvent, type ReactNode, useId } from 'react'
import styles from './tabs.module.css'
import { useActiveTabVisible } from './use-active-tab-visible'

type TabsProps<K extends string> = {
  label: string
  tabs: { key: K; title: string }[]
  active: K
  onChange: (key: K) => void
  children: ReactNode
}

/** Tabs with arrow keys. The caller keeps the active tab (in the URL) and passes its panel as children. */
export function Tabs<K extends string>({ label, tabs, active, onChange, children }: TabsProps<K>) {
  const id = useId()
  const row = useActiveTabVisible<HTMLDivElement>(active)
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const at = tabs.findIndex((tab) => tab.key === active)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (!next) return
    onChange(next.key)
    document.getElementById(`${id}-${next.key}`)?.focus()
  }
  return (
    <div>
      <div ref={row} className={styles.list} role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ key, title }) => (
          <button
            key={key}
            type="button"
            id={`${id}-${key}`}
            role="tab"
            className={styles.tab}
            aria-selected={key === active}
            aria-controls={`${id}-panel`}
            tabIndex={key === active ? 0 : -1}
            onClick={() => onChange(key)}
          >
            {title}
          </button>
        ))}
      </div>
      <div className={styles.panel} id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${active}`}>
        {children}
      </div>
    </div>
  )
}
