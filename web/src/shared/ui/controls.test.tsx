import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Menu } from './menu'
import { Tabs } from './tabs'

describe('a menu', () => {
  const setup = () => {
    const pick = vi.fn()
    const items = ['one', 'two'].map((title) => ({ key: title, title, onSelect: () => pick(title) }))
    render(<Menu label="Choices" trigger="open" items={items} />)
    return pick
  }

  it('moves with the arrow keys and returns the focus on Escape', async () => {
    setup()
    const button = screen.getByRole('button', { name: 'Choices' })
    await userEvent.click(button)
    expect(document.activeElement?.textContent).toBe('one')
    await userEvent.keyboard('{ArrowDown}')
    expect(document.activeElement?.textContent).toBe('two')
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('menu')).toBeNull()
    expect(document.activeElement).toBe(button)
  })

  it('runs the chosen action and closes', async () => {
    const pick = setup()
    await userEvent.click(screen.getByRole('button', { name: 'Choices' }))
    await userEvent.click(screen.getByRole('menuitem', { name: 'two' }))
    expect(pick).toHaveBeenCalledWith('two')
    expect(screen.queryByRole('menu')).toBeNull()
  })
})

it('arrow keys move between tabs and wrap around', async () => {
  function Host() {
    const [active, setActive] = useState('a')
    const tabs = ['a', 'b', 'c'].map((key) => ({ key, title: key }))
    return (
      <Tabs label="Parts" tabs={tabs} active={active} onChange={setActive}>
        {active}
      </Tabs>
    )
  }
  render(<Host />)
  screen.getByRole('tab', { name: 'a' }).focus()
  await userEvent.keyboard('{ArrowLeft}')
  expect(screen.getByRole('tabpanel').textContent).toBe('c')
  await userEvent.keyboard('{ArrowRight}')
  expect(screen.getByRole('tabpanel').textContent).toBe('a')
})
