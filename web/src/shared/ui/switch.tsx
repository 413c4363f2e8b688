import type { ComponentProps } from 'react'
import { classNames } from '@/shared/lib/class-names'
import styles from './switch.module.css'

type SwitchProps = Omit<ComponentProps<'button'>, 'onChange' | 'role' | 'type'> & {
  checked: boolean
  onChange: (checked: boolean) => void
}

/** An on/off switch that applies at once. Its label must be given; children show its state as text. */
export function Switch({ checked, onChange, className, children, ...rest }: SwitchProps) {
  return (
    <button
      {...rest}
      type="button"
      role="switch"
      aria-checked={checked}
      className={classNames(styles.switch, className)}
      onClick={() => onChange(!checked)}
    >
      <i />
      {children && <span aria-hidden="true">{children}</span>}
    </button>
  )
}
