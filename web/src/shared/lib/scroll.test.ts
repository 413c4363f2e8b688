import { expect, it, vi } from 'vitest'
import { bringIntoSight } from './scroll'

function standing(top: number, bottom: number) {
  const element = document.createElement('section')
  element.getBoundingClientRect = () => ({ top, bottom }) as DOMRect
  element.scrollIntoView = vi.fn()
  return element
}

it('what is in sight stays where it is', () => {
  const result = standing(100, 2000)
  bringIntoSight(result)
  expect(result.scrollIntoView).not.toHaveBeenCalled()
})

it('what is out of sight comes into it, without a motion that somebody does not want', () => {
  const result = standing(-900, -200)
  bringIntoSight(result)
  expect(result.scrollIntoView).toHaveBeenCalledWith({ block: 'start', behavior: 'auto' })
})
