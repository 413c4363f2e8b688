import { act } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { focusPlace, restoreFocus } from './restore-focus'

const draw = (html: string) => {
  document.body.innerHTML = `<header><button>Menu</button></header><main id="content" tabindex="-1">${html}</main>`
}
const FORM = '<div><form><input name="a"><button type="submit">Run</button></form></div>'
const button = () => document.querySelector<HTMLElement>('form button')

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  document.body.innerHTML = ''
})

describe('the focus after a dialog whose page was reloaded', () => {
  it('returns to the same place once it is rendered', () => {
    draw(FORM)
    button()?.focus()
    const place = focusPlace()
    draw('<p>Loading</p>')
    restoreFocus(place)
    act(() => vi.advanceTimersByTime(500))
    draw(FORM)
    act(() => vi.advanceTimersByTime(200))
    expect(document.activeElement).toBe(button())
  })

  it('goes to the content if the place is gone', () => {
    draw(FORM)
    document.querySelector<HTMLElement>('header button')?.focus()
    const place = focusPlace()
    draw('<p>Other</p>')
    restoreFocus(place)
    act(() => vi.advanceTimersByTime(300))
    expect(document.activeElement?.id).toBe('content')
  })

  it('stays where the user moved it', () => {
    draw(FORM)
    button()?.focus()
    const place = focusPlace()
    draw(FORM)
    document.querySelector<HTMLElement>('header button')?.focus()
    restoreFocus(place)
    act(() => vi.advanceTimersByTime(6000))
    expect(document.activeElement?.textContent).toBe('Menu')
  })
})
