import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon, type IconName } from './icon'
import styles from './menu.module.css'

export type MenuItem = {
  key: string
  title: string
  icon?: IconName
  checked?: boolean
  lang?: string
  onSelect: () => void
}

type MenuProps = { label: string; className?: string | undefined; trigger: ReactNode; items: MenuItem[] }

/** A button that opens a list of actions. Arrow keys move, Escape closes and returns the focus. */
export function Menu({ label, className, trigger, items }: MenuProps) {
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open) return
    anchor.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
    const outside = (event: PointerEvent) => {
      if (!anchor.current?.contains(event.target as Node)) setOpen(false)
    }
    // A click into a frame reaches only the frame.
    const blurred = () => setOpen(false)
    document.addEventListener('pointerdown', outside)
    window.addEventListener('blur', blurred)
    return () => {
      document.removeEventListener('pointerdown', outside)
      window.removeEventListener('blur', blurred)
    }
  }, [open])
  const keys = (event: KeyboardEvent) => {
    if (!open) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      setOpen(false)
      button.current?.focus()
    }
    if (event.key === 'Tab') setOpen(false)
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const all = [...(anchor.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    all[(at + step + all.length) % all.length]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the button and the items inside.
    <div className={styles.anchor} ref={anchor} onKeyDown={keys}>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {trigger}
      </button>
      {open && (
        <div className={styles.menu} role="menu" aria-label={label}>
          {items.map((item) => (
            // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a checked item is a menuitemradio.
            <button
              key={item.key}
              type="button"
              lang={item.lang}
              role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
              aria-checked={item.checked}
              tabIndex={-1}
              className={styles.item}
              onClick={() => {
                setOpen(false)
                button.current?.focus()
                item.onSelect()
              }}
            >
              {item.icon && <Icon name={item.icon} size={18} />}
              {item.title}
              {item.checked && (
                <span className={styles.check}>
                  <Icon name="check" size={16} />
                </span>
              )}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
