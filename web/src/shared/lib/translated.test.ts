import { describe, expect, it } from 'vitest'
import { translated } from './translated'

describe('translated', () => {
  const silk = {
    name: 'Folded Silk',
    description: '<p>Folds</p>',
    translations: { ko: { name: '주름진 비단', description: null } },
  }

  it('uses translations where they exist and the original elsewhere', () => {
    expect(translated(silk, 'ko')).toMatchObject({ name: '주름진 비단', description: '<p>Folds</p>' })
    expect(translated(silk, 'en').name).toBe('Folded Silk')
    expect(silk.name).toBe('Folded Silk')
  })

  it('leaves untranslated items unchanged', () => {
    const plain: { name: string; translations?: { ko?: { name?: string } } } = { name: 'Silk' }
    expect(translated(plain, 'ko')).toBe(plain)
  })
})
