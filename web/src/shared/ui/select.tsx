import type { ComponentProps } from 'react'
import { classNames } from '@/shared/lib/class-names'
import { controlClass } from './field'

/** The browser's own select in our clothes: it is the best one on phones and with a keyboard. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={classNames(controlClass, className)} />
}
