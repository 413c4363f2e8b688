import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { local } from '@/shared/lib/storage'
import { type BulkAction, type Column, DataTable } from './data-table'

const saved = vi.hoisted(() => vi.fn())
vi.mock('@/shared/lib/download', () => ({ save: saved }))

type Row = { _id: string; name: string; age: number }
const ROWS: Row[] = [
  { _id: '1', name: 'Mira', age: 9 },
  { _id: '2', name: '=Ada', age: 30 },
  { _id: '3', name: 'Bo', age: 100 },
  { _id: '4', name: 'Cy', age: 41 },
]
const COLUMNS: Column<Row>[] = [
  { key: 'name', title: 'Name', main: true, cell: (row) => row.name, text: (row) => row.name },
  { key: 'age', title: 'Age', cell: (row) => row.age, text: (row) => String(row.age), sort: (a, b) => a.age - b.age },
  { key: 'id', title: 'Id', optional: true, cell: (row) => row._id, text: (row) => row._id },
]

function open({ rows = ROWS, total, act = vi.fn() }: { rows?: Row[]; total?: number; act?: BulkAction['act'] } = {}) {
  const actions: BulkAction[] = [
    { key: 'drop', title: 'Delete', danger: true, ofAll: true, act },
    { key: 'one', title: 'Only those', act },
  ]
  const table = (shown: Row[]) => (
    <DataTable
      name="pets"
      caption="Pets"
      rows={shown}
      columns={COLUMNS}
      actions={actions}
      {...(total !== undefined && { total })}
    />
  )
  const view = render(table(rows))
  return { act, show: (next: Row[]) => view.rerender(table(next)) }
}
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[1]?.textContent)
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${name}` })
const button = (name: string | RegExp) => screen.getByRole('button', { name })

beforeEach(() => {
  local.removeAll('vg.columns')
  saved.mockReset()
})

describe('a table', () => {
  it('sorts by numbers and not by their letters: up, down, and as the server has it', async () => {
    open()
    const head = () => screen.getByRole('columnheader', { name: 'Age' }).getAttribute('aria-sort')
    expect(head()).toBe('none')
    await userEvent.click(button('Age'))
    expect([names(), head()]).toEqual([['Mira', '=Ada', 'Cy', 'Bo'], 'ascending'])
    await userEvent.click(button('Age'))
    expect([names(), head()]).toEqual([['Bo', 'Cy', '=Ada', 'Mira'], 'descending'])
    await userEvent.click(button('Age'))
    expect([names(), head()]).toEqual([['Mira', '=Ada', 'Bo', 'Cy'], 'none'])
  })

  it('shows the columns that were chosen last in this browser, and always the one that names a row', async () => {
    open()
    expect(screen.queryByRole('columnheader', { name: 'Id' })).toBeNull()
    expect(screen.queryByRole('checkbox', { name: 'Name' })).toBeNull()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Id', hidden: true }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'Age', hidden: true }))
    expect(screen.queryByRole('columnheader', { name: 'Age' })).toBeNull()
    open()
    expect(screen.getAllByRole('columnheader', { name: 'Id' })).toHaveLength(2)
  })

  it('selects a range with shift, in the order that is shown', async () => {
    const { act } = open()
    await userEvent.click(button('Age'))
    const user = userEvent.setup()
    await user.click(box('=Ada'))
    await user.keyboard('{Shift>}')
    await user.click(box('Bo'))
    await user.keyboard('{/Shift}')
    expect(screen.getByRole('status').textContent).toBe('3 selected')
    await user.click(button('Delete'))
    expect(act).toHaveBeenCalledWith({ ids: ['2', '4', '3'], all: false })
  })

  it('is worked by keys alone', async () => {
    open()
    box('Mira').focus()
    await userEvent.keyboard(' ')
    expect(box('Mira').checked).toBe(true)
    await userEvent.keyboard(' ')
    expect(box('Mira').checked).toBe(false)
  })

  it('offers all that match, and then only what the server can do to them', async () => {
    const { act } = open({ total: 320 })
    await userEvent.click(box('Mira'))
    expect(screen.queryByRole('button', { name: 'Select all 320 that match' })).toBeNull()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all rows' }))
    await userEvent.click(button('Select all 320 that match'))
    expect(screen.getByRole('status').textContent).toBe('320 selected')
    expect(screen.queryByRole('button', { name: 'Only those' })).toBeNull()
    await userEvent.click(button('Delete'))
    expect(act).toHaveBeenCalledWith({ ids: [], all: true })
  })

  it('acts on nothing that has left the list, and no list inherits "all" from another', async () => {
    const { act, show } = open({ total: 320 })
    await userEvent.click(box('Mira'))
    await userEvent.click(box('Bo'))
    show(ROWS.slice(1))
    await userEvent.click(button('Delete'))
    expect(act).toHaveBeenCalledWith({ ids: ['3'], all: false })
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all rows' }))
    await userEvent.click(button('Select all 320 that match'))
    show(ROWS.slice(2))
    expect(screen.getByRole('status').textContent).toBe('')
  })

  it('gives a file of what is shown, or of what is selected, in which nothing is a formula', async () => {
    open()
    await userEvent.click(button('Save as CSV'))
    const whole: Blob = saved.mock.calls[0]?.[0]
    expect(await whole.text()).toContain("Name,Age\r\nMira,9\r\n'=Ada,30\r\nBo,100\r\n")
    expect(saved.mock.calls[0]?.[1]).toBe('pets.csv')
    await userEvent.click(box('Bo'))
    await userEvent.click(button('Save as CSV'))
    const some: Blob = saved.mock.calls[1]?.[0]
    expect((await some.text()).replace('\ufeff', '')).toBe('Name,Age\r\nBo,100\r\n')
  })
})
