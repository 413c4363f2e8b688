import { describe, expect, it } from 'vitest'
import { wordsOf } from './words-of'

describe('wordsOf', () => {
  const silk = {
    name: 'Folded Silk',
    description: '<p>Folds</p>',
    translations: { ko: { name: '주름진 비단', description: null } },
  }

  it('says what is there in the language, and the rest as it was written', () => {
    expect(wordsOf(silk, 'ko')).toMatchObject({ name: '주름진 비단', description: '<p>Folds</p>' })
    expect(wordsOf(silk, 'en').name).toBe('Folded Silk')
    expect(silk.name).toBe('Folded Silk')
  })

  it('leaves alone what was written in one language', () => {
    const plain: { name: string; translations?: { ko?: { name?: string } } } = { name: 'Silk' }
    expect(wordsOf(plain, 'ko')).toBe(plain)
  })
})
