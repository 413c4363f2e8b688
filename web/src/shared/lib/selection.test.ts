import { expect, it } from 'vitest'
import { among, NONE, type Selection, turned, turnedAll } from './selection'

const ORDER = ['a', 'b', 'c', 'd', 'e']
const ids = ({ ids }: Selection) => [...ids].sort().join('')

it('a range goes from the last one that was turned, in either direction, and takes on what its end becomes', () => {
  const one = turned(NONE, ORDER, 'd', false)
  const up = turned(one, ORDER, 'b', true)
  expect(ids(up)).toBe('bcd')
  expect(ids(turned(up, ORDER, 'd', true))).toBe('')
  expect(ids(turned(up, ORDER, 'c', false))).toBe('bd')
})

it('a range without a beginning in the list is one', () => {
  expect(ids(turned({ ...NONE, last: 'gone' }, ORDER, 'c', true))).toBe('c')
})

it('all that match are all, until one of them is taken out', () => {
  const all = { ...NONE, all: true }
  expect(ids(turned(all, ORDER, 'c', false))).toBe('abde')
  expect(turned(all, ORDER, 'c', false).all).toBe(false)
  expect(turnedAll(all, ORDER)).toBe(NONE)
})

it('the head selects all that are loaded, and none where all are', () => {
  const some = turned(NONE, ORDER, 'a', false)
  expect(ids(turnedAll(some, ORDER))).toBe('abcde')
  expect(turnedAll(turnedAll(some, ORDER), ORDER)).toBe(NONE)
})

it('what left the list is not selected any more', () => {
  const some = turned(turned(NONE, ORDER, 'a', false), ORDER, 'b', false)
  expect(ids(among(some, ['b', 'c']))).toBe('b')
  expect(among(some, ORDER)).toBe(some)
})
