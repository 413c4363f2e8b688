import type { ComponentProps } from 'react'
import { classNames } from '@/shared/lib/class-names'
import { controlClass } from './field'

/** The native select with our style: it works best on phones and with a keyboard. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={classNames(controlClass, className)} />
}
