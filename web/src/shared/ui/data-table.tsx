import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '@/shared/lib/class-names'
import { csvOf } from '@/shared/lib/csv'
import { save as saveFile } from '@/shared/lib/download'
import { among, NONE, type Selection, turned, turnedAll } from '@/shared/lib/selection'
import { local } from '@/shared/lib/storage'
import { Button } from './button'
import styles from './data-table.module.css'
import { Icon } from './icon'

/** A column of rows of this kind. */
export type Column<T> = {
  key: string
  title: string
  cell: (row: T) => ReactNode
  /** The same as a text: for the file and, where the rows here are sorted, for the order. */
  text: (row: T) => string
  /** Sorted by what this gives, among the rows that are loaded. */
  sort?: (a: T, b: T) => number
  /** What the row is known by: it always shows, heads its card on a phone, and names its check box. */
  main?: true
  /** Hidden until somebody asks for it. */
  optional?: true
}

export type Sorting = { key: string; down: boolean }

/** What is done with several rows at once. `all` stands for all that match, also those that are not loaded. */
export type BulkAction = {
  key: string
  title: string
  danger?: true
  /** Whether it can be done to all that match, by one question to the server. */
  ofAll?: true
  act: (picked: { ids: string[]; all: boolean }) => void
}

type DataTableProps<T> = {
  /** Names the table, its file, and the choice of its columns in this browser. */
  name: string
  caption: string
  rows: T[]
  columns: Column<T>[]
  /** How many match in all, where the server tells; more than are loaded can be selected then. */
  total?: number
  actions?: BulkAction[]
}

const choiceKey = (name: string) => `vg.columns.${name}`

/** The columns that show, as this browser was told last. What it was told of a column that is gone says nothing. */
function useColumns<T>(name: string, columns: Column<T>[]) {
  const [hidden, setHidden] = useState<string[]>(
    () => local.get(choiceKey(name))?.split(' ') ?? columns.filter((one) => one.optional).map((one) => one.key),
  )
  const shown = columns.filter((one) => one.main || !hidden.includes(one.key))
  const toggle = (key: string) => {
    const next = hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key]
    local.set(choiceKey(name), next.join(' '))
    setHidden(next)
  }
  return { shown, toggle }
}

/** Rows of an admin's page: sorted, chosen from, acted upon and taken along. On a phone each row is a card. */
export function DataTable<T extends { _id: string }>(props: DataTableProps<T>) {
  const { name, caption, rows, columns, total, actions = [] } = props
  const { t } = useTranslation()
  const { shown, toggle } = useColumns(name, columns)
  const [sorting, setSorting] = useState<Sorting | null>(null)
  const [picked, setPicked] = useState<Selection>(NONE)
  const sorted = useMemo(() => {
    const sort = columns.find((one) => one.key === sorting?.key)?.sort
    return sort ? rows.toSorted((a, b) => (sorting?.down ? sort(b, a) : sort(a, b))) : rows
  }, [rows, columns, sorting])
  const order = sorted.map((row) => row._id)
  const selection = among(picked, order)
  // Another question has other rows: what was selected of the last one is not acted upon by the next.
  useEffect(
    () =>
      setPicked((old) =>
        old.all
          ? NONE
          : among(
              old,
              rows.map((row) => row._id),
            ),
      ),
    [rows],
  )
  const save = () => {
    const chosen =
      selection.ids.size > 0 && !selection.all ? sorted.filter((row) => selection.ids.has(row._id)) : sorted
    const lines = [shown.map((one) => one.title), ...chosen.map((row) => shown.map((one) => one.text(row)))]
    saveFile(new Blob([csvOf(lines)], { type: 'text/csv;charset=utf-8' }), `${name}.csv`)
  }
  const main = columns.find((one) => one.main) ?? columns[0]
  return (
    <div>
      <div className={styles.bar}>
        <Picked {...{ selection, order, actions, total }} onPick={setPicked} />
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
        <Button size="small" tone="ghost" icon="download" onClick={save}>
          {t('table.csv')}
        </Button>
      </div>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {actions.length > 0 && (
              <th scope="col" className={styles.pick}>
                <AllBox selection={selection} order={order} onPick={setPicked} />
              </th>
            )}
            {shown.map((one) => (
              <Head key={one.key} column={one} sorting={sorting} onSort={setSorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={row._id} aria-selected={actions.length > 0 ? isPicked(selection, row._id) : undefined}>
              {actions.length > 0 && (
                <td className={styles.pick}>
                  <input
                    type="checkbox"
                    aria-label={t('table.select', { name: main?.text(row) })}
                    checked={isPicked(selection, row._id)}
                    // A press says whether shift is held; a key press on the box comes as one, too.
                    onClick={(event) => setPicked(turned(selection, order, row._id, event.shiftKey))}
                    onChange={() => undefined}
                  />
                </td>
              )}
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

const isPicked = ({ ids, all }: Selection, id: string): boolean => all || ids.has(id)

type PickProps = { selection: Selection; order: string[]; onPick: (next: Selection) => void }

function AllBox({ selection, order, onPick }: PickProps) {
  const { t } = useTranslation()
  const all = order.length > 0 && order.every((id) => isPicked(selection, id))
  const some = selection.ids.size > 0 && !all
  return (
    <input
      type="checkbox"
      aria-label={t('table.selectAll')}
      checked={all}
      ref={(box) => {
        if (box) box.indeterminate = some
      }}
      onChange={() => onPick(turnedAll(selection, order))}
    />
  )
}

type PickedProps = PickProps & { actions: BulkAction[]; total: number | undefined }

/** What is selected, and what can be done with it. Whoever listens hears how many. */
function Picked({ selection, order, actions, total, onPick }: PickedProps) {
  const { t } = useTranslation()
  const count = selection.all ? (total ?? order.length) : selection.ids.size
  const mayAll = total !== undefined && total > order.length && actions.some((one) => one.ofAll)
  const isWhole = order.length > 0 && order.every((id) => selection.ids.has(id))
  return (
    <>
      <span className={styles.count} role="status">
        {count > 0 && t('table.selected', { count })}
      </span>
      {count > 0 && (
        <>
          {mayAll && isWhole && !selection.all && (
            <Button size="small" tone="outline" onClick={() => onPick({ ...selection, all: true })}>
              {t('table.allMatching', { count: total })}
            </Button>
          )}
          {actions
            .filter((one) => one.ofAll || !selection.all)
            .map((one) => (
              <Button
                key={one.key}
                size="small"
                tone={one.danger ? 'danger' : 'outline'}
                onClick={() => one.act({ ids: selection.all ? [] : [...selection.ids], all: selection.all })}
              >
                {one.title}
              </Button>
            ))}
          <Button size="small" tone="ghost" icon="close" onClick={() => onPick(NONE)}>
            {t('table.clear')}
          </Button>
        </>
      )}
    </>
  )
}

type HeadProps<T> = { column: Column<T>; sorting: Sorting | null; onSort: (next: Sorting | null) => void }

/** Pressed once it sorts up, then down, then it gives the order of the server back. */
function Head<T>({ column, sorting, onSort }: HeadProps<T>) {
  const { key, title, sort } = column
  if (!sort) return <th scope="col">{title}</th>
  const mine = sorting?.key === key ? sorting : null
  const next = !mine ? { key, down: false } : mine.down ? null : { key, down: true }
  return (
    <th scope="col" aria-sort={mine ? (mine.down ? 'descending' : 'ascending') : 'none'}>
      <button type="button" className={styles.sort} onClick={() => onSort(next)}>
        {title}
        {mine && (
          <span className={mine.down ? undefined : styles.up}>
            <Icon name="down" size={14} />
          </span>
        )}
      </button>
    </th>
  )
}
