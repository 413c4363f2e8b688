import { expect, it, vi } from 'vitest'
import { ensureVisible } from './ensure-visible'

function standing(top: number, bottom: number) {
  const element = document.createElement('section')
  element.getBoundingClientRect = () => ({ top, bottom }) as DOMRect
  element.scrollIntoView = vi.fn()
  return element
}

it('a visible element is not scrolled', () => {
  const result = standing(100, 2000)
  ensureVisible(result)
  expect(result.scrollIntoView).not.toHaveBeenCalled()
})

it('an invisible element is scrolled into view, without motion if reduced', () => {
  const result = standing(-900, -200)
  ensureVisible(result)
  expect(result.scrollIntoView).toHaveBeenCalledWith({ block: 'start', behavior: 'auto' })
})
