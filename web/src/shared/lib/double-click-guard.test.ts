import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { guardDoubleClicks } from './double-click-guard'

let stop = () => {}
const pressedOn: string[] = []
beforeEach(() => {
  pressedOn.length = 0
  stop = guardDoubleClicks()
  document.body.innerHTML =
    '<button id="first"><i></i></button><button id="next"></button><label><input type="checkbox" id="box"><b></b></label><form><input id="word"></form>'
  for (const one of document.querySelectorAll('button, input')) {
    one.addEventListener('click', () => pressedOn.push(one.id))
  }
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

const at = (event: Event, ms: number) => Object.defineProperty(event, 'timeStamp', { value: ms })
function press(selector: string, ms: number, { x = 100, detail = 1 } = {}) {
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, clientX: x, clientY: 50, detail })
  document.querySelector(selector)?.dispatchEvent(at(event, ms))
}
function submit(ms: number): boolean {
  const event = new SubmitEvent('submit', { bubbles: true, cancelable: true })
  return document.querySelector('form')?.dispatchEvent(at(event, ms)) ?? false
}

describe('the second half of a double click', () => {
  it('does not click another element that moved under the pointer', () => {
    press('#first', 0)
    press('#next', 30)
    press('#next', 60)
    expect(pressedOn).toEqual(['first'])
  })

  it('clicks the same button, by any of its parts', () => {
    press('#first i', 0)
    press('#first', 30)
    expect(pressedOn).toEqual(['first', 'first'])
  })

  it('is not dropped after a pause or a move', () => {
    press('#first', 0)
    press('#next', 30, { x: 140 })
    press('#first', 500, { x: 140 })
    expect(pressedOn).toEqual(['first', 'next', 'first'])
  })

  it('is not dropped after a key in between', () => {
    press('#first', 0)
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    press('#next', 150)
    expect(pressedOn).toEqual(['first', 'next'])
  })

  it('is not dropped for keyboard, script and label clicks', () => {
    press('#first', 0)
    press('#next', 30, { detail: 0 })
    press('label b', 500)
    press('#box', 501)
    expect(pressedOn.filter((one) => one !== 'box')).toEqual(['first', 'next'])
    expect(pressedOn).toContain('box')
  })
})

it('a form that was just submitted is not submitted again', () => {
  expect([submit(0), submit(30), submit(60), submit(600)]).toEqual([true, false, false, true])
  document.querySelector('#word')?.dispatchEvent(new InputEvent('input', { bubbles: true }))
  expect(submit(630), 'with other words').toBe(true)
  press('#next', 650)
  expect(submit(660), 'after another button').toBe(true)
})
