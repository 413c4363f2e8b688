import type { ReactNode } from 'react'

/** A title and what it says; `null` leaves the fact out. */
export type Fact = [title: string, value: ReactNode]

/** Rows of a `dl`. */
export function FactRows({ facts }: { facts: Fact[] }) {
  return facts
    .filter(([, value]) => value !== null)
    .map(([title, value]) => (
      <div key={title}>
        <dt>{title}</dt>
        <dd>{value}</dd>
      </div>
    ))
}
