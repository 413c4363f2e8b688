import { act } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { focusAgain, focusPlace } from './focus-back'

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

describe('the focus after a dialog whose page was loaded again', () => {
  it('returns to the same place once it is drawn', () => {
    draw(FORM)
    button()?.focus()
    const place = focusPlace()
    draw('<p>Loading</p>')
    focusAgain(place)
    act(() => vi.advanceTimersByTime(500))
    draw(FORM)
    act(() => vi.advanceTimersByTime(200))
    expect(document.activeElement).toBe(button())
  })

  it('goes to the content of the page where there is no such place', () => {
    draw(FORM)
    document.querySelector<HTMLElement>('header button')?.focus()
    const place = focusPlace()
    draw('<p>Other</p>')
    focusAgain(place)
    act(() => vi.advanceTimersByTime(300))
    expect(document.activeElement?.id).toBe('content')
  })

  it('stays where the reader has moved it', () => {
    draw(FORM)
    button()?.focus()
    const place = focusPlace()
    draw(FORM)
    document.querySelector<HTMLElement>('header button')?.focus()
    focusAgain(place)
    act(() => vi.advanceTimersByTime(6000))
    expect(document.activeElement?.textContent).toBe('Menu')
  })
})
