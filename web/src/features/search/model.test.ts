import { describe, expect, it } from 'vitest'
import type { SearchResults } from '@/shared/api/types'
import { translated } from '@/shared/lib/translated'
import { picture, workflow } from '@/shared/testing/factories'
import { hitsOf, moved } from './model'

describe('search results', () => {
  it('link to apps, pictures and people, in this order', () => {
    const found: SearchResults = {
      workflows: [
        workflow({ _id: 'w', workflowApi: 'a', translations: { ko: { name: '비단' } } }),
        workflow({ _id: 'v' }),
      ],
      pictures: [picture({ _id: 'p' })],
      people: [{ _id: 'u', name: 'Mira', profile: null }],
    }
    const hits = hitsOf(
      found,
      (person) => person.name,
      (name) => `by ${name}`,
      (one) => translated(one, 'ko'),
    )
    expect(hits.map((hit) => hit.to)).toEqual(['/easy-app/a', '/workflows/v', '/gallery/p', '/profile/u'])
    expect(hits.map((hit) => hit.title)).toEqual(['비단', 'Silk', 'by Mira', 'Mira'])
  })
})

describe('the arrow keys', () => {
  it('wrap through the lines and the field', () => {
    expect([moved(-1, 1, 2), moved(0, 1, 2), moved(1, 1, 2), moved(-1, -1, 2), moved(0, -1, 2)]).toEqual([
      0, 1, -1, 1, -1,
    ])
    expect(moved(-1, 1, 0)).toBe(-1)
  })
})
