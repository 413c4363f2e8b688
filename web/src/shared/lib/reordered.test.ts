import { describe, expect, it } from 'vitest'
import { reordered } from './reordered'

describe('an order', () => {
  it('moves an entry in both directions', () => {
    expect(reordered(['a', 'b', 'c', 'd'], 'a', 'c')).toEqual(['b', 'c', 'a', 'd'])
    expect(reordered(['a', 'b', 'c', 'd'], 'd', 'b')).toEqual(['a', 'd', 'b', 'c'])
    expect(reordered(['a', 'b'], 'a', 'gone')).toEqual(['a', 'b'])
  })
})
