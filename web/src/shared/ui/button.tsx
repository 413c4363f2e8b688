import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { classNames } from '@/shared/lib/class-names'
import styles from './button.module.css'
import { Icon, type IconName } from './icon'
import { Spinner } from './spinner'

type Look = {
  tone?: 'primary' | 'plain' | 'ghost' | 'outline' | 'danger'
  size?: 'small' | 'normal' | 'large'
  icon?: IconName
  wide?: boolean
  children?: ReactNode
}

const look = ({ tone = 'plain', size = 'normal', wide, icon, children }: Look, className?: string) =>
  classNames(
    styles.button,
    tone !== 'plain' && styles[tone],
    size !== 'normal' && styles[size],
    wide && styles.wide,
    icon && !children && styles.icon,
    className,
  )

type ButtonProps = Look & Omit<ComponentProps<'button'>, 'children'> & { busy?: boolean }

/**
 * A button. While `busy` it ignores clicks and shows a spinner instead of its icon. It keeps the focus, which a
 * disabled button would lose.
 */
export function Button({
  tone,
  size,
  icon,
  wide,
  busy = false,
  className,
  children,
  disabled,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={look({ tone, size, icon, wide, children }, className)}
    >
      {busy ? <Spinner size={16} /> : icon && <Icon name={icon} size={18} />}
      {children}
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({
  tone,
  size,
  icon,
  wide,
  className,
  children,
  ...rest
}: Look & ComponentProps<typeof Link>) {
  return (
    <Link {...rest} className={look({ tone, size, icon, wide, children }, className)}>
      {icon && <Icon name={icon} size={18} />}
      {children}
    </Link>
  )
}
