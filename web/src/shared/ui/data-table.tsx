import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '@/shared/lib/class-names'
import { csvOf } from '@/shared/lib/csv'
import { save as saveFile } from '@/shared/lib/download'
import { local } from '@/shared/lib/storage'
import { Button } from './button'
import styles from './data-table.module.css'
import { Icon } from './icon'

export type Column<T> = {
  key: string
  title: string
  cell: (row: T) => ReactNode
  /** The cell as text, for the CSV file. */
  text: (row: T) => string
  /** Sorts the loaded rows. */
  sort?: (a: T, b: T) => number
  /** The column that identifies the row: always visible, and the title of the card on a phone. */
  main?: true
  /** Hidden by default. */
  optional?: true
}

type Sorting = { key: string; descending: boolean }

type DataTableProps<T> = {
  /** The name of the CSV file and of the stored column choice. */
  name: string
  caption: string
  rows: T[]
  columns: Column<T>[]
  /** The page has a file of the whole list, so the table offers none of its rows. */
  hasFile?: true
}

const storageKey = (name: string) => `vg.columns.${name}`

/** The visible columns, as stored in this browser. Stored names of removed columns are ignored. */
function useColumns<T>(name: string, columns: Column<T>[]) {
  const [hidden, setHidden] = useState<string[]>(
    () => local.get(storageKey(name))?.split(' ') ?? columns.filter((one) => one.optional).map((one) => one.key),
  )
  const shown = columns.filter((one) => one.main || !hidden.includes(one.key))
  const toggle = (key: string) => {
    const next = hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key]
    local.set(storageKey(name), next.join(' '))
    setHidden(next)
  }
  return { shown, toggle }
}

/** A table for admin pages with sorting, a choice of columns and CSV export. On a phone each row is a card. */
export function DataTable<T extends { _id: string }>({ name, caption, rows, columns, hasFile }: DataTableProps<T>) {
  const { t } = useTranslation()
  const { shown, toggle } = useColumns(name, columns)
  const [sorting, setSorting] = useState<Sorting | null>(null)
  const sorted = useMemo(() => {
    const sort = columns.find((one) => one.key === sorting?.key)?.sort
    return sort ? rows.toSorted((a, b) => (sorting?.descending ? sort(b, a) : sort(a, b))) : rows
  }, [rows, columns, sorting])
  const save = () => {
    const lines = [shown.map((one) => one.title), ...sorted.map((row) => shown.map((one) => one.text(row)))]
    saveFile(new Blob([csvOf(lines)], { type: 'text/csv;charset=utf-8' }), `${name}.csv`)
  }
  return (
    <div>
      <div className={styles.bar}>
        <details className={styles.choice}>
          <summary>{t('table.columns')}</summary>
          <fieldset>
            <legend className="visually-hidden">{t('table.columns')}</legend>
            {columns
              .filter((one) => !one.main)
              .map((one) => (
                <label key={one.key}>
                  <input type="checkbox" checked={shown.includes(one)} onChange={() => toggle(one.key)} />
                  {one.title}
                </label>
              ))}
          </fieldset>
        </details>
        {!hasFile && (
          <Button size="small" tone="ghost" icon="download" onClick={save}>
            {t('table.csv')}
          </Button>
        )}
      </div>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {shown.map((one) => (
              <Head key={one.key} column={one} sorting={sorting} onSort={setSorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={row._id}>
              {shown.map((one) => (
                <td key={one.key} className={classNames(one.main && styles.main)} data-label={one.title}>
                  {one.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type HeadProps<T> = { column: Column<T>; sorting: Sorting | null; onSort: (next: Sorting | null) => void }

/** Sorts ascending, then descending, then in the server's order again. */
function Head<T>({ column, sorting, onSort }: HeadProps<T>) {
  const { key, title, sort } = column
  if (!sort) return <th scope="col">{title}</th>
  const own = sorting?.key === key ? sorting : null
  const next = !own ? { key, descending: false } : own.descending ? null : { key, descending: true }
  return (
    <th scope="col" aria-sort={own ? (own.descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" className={styles.sort} onClick={() => onSort(next)}>
        {title}
        {own && (
          <span className={own.descending ? undefined : styles.up}>
            <Icon name="down" size={14} />
          </span>
        )}
      </button>
    </th>
  )
}
