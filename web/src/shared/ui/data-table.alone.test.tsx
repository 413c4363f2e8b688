import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { local } from '@/shared/lib/storage'
import { type Column, DataTable } from './data-table'

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

const open = () => render(<DataTable name="pets" caption="Pets" rows={ROWS} columns={COLUMNS} />)
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent)
const button = (name: string) => screen.getByRole('button', { name })

beforeEach(() => {
  local.removeAll('vg.columns')
  saved.mockReset()
})

describe('a table', () => {
  it("sorts numerically: ascending, descending, then in the server's order", async () => {
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

  it('restores the chosen columns and always shows the main column', async () => {
    open()
    expect(screen.queryByRole('columnheader', { name: 'Id' })).toBeNull()
    expect(screen.queryByRole('checkbox', { name: 'Name' })).toBeNull()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Id', hidden: true }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'Age', hidden: true }))
    expect(screen.queryByRole('columnheader', { name: 'Age' })).toBeNull()
    open()
    expect(screen.getAllByRole('columnheader', { name: 'Id' })).toHaveLength(2)
  })

  it('exports the visible columns as CSV without formulas', async () => {
    open()
    await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }))
    const file: Blob = saved.mock.calls[0]?.[0]
    expect(await file.text()).toContain("Name,Age\r\nMira,9\r\n'=Ada,30\r\nBo,100\r\n")
    expect(saved.mock.calls[0]?.[1]).toBe('pets.csv')
  })
})
