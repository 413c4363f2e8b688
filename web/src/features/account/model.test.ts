import { describe, expect, it } from 'vitest'
import type { LedgerEntry } from '@/shared/api/types'
import { ceilingOf, cropOf, PORTRAIT_BYTES, portraitProblem, statementLines } from './model'

describe('a profile picture', () => {
  it('must be an image of at most 10 MB, and no SVG', () => {
    expect(portraitProblem({ type: 'image/png', size: PORTRAIT_BYTES })).toBeUndefined()
    expect(portraitProblem({ type: 'image/png', size: PORTRAIT_BYTES + 1 })).toBe('tooLarge')
    expect(portraitProblem({ type: 'text/html', size: 1 })).toBe('notAnImage')
    expect(portraitProblem({ type: 'image/svg+xml', size: 1 })).toBe('notAnImage')
  })

  it('is cropped to a square inside the picture, at most 512 pixels wide', () => {
    const picture = { width: 2000, height: 1000 }
    expect(cropOf({ x: 500, y: 0, width: 1000, height: 1000 }, picture)).toEqual({
      x: 500,
      y: 0,
      width: 1000,
      height: 1000,
      side: 512,
    })
    // Rounding may move the corner a pixel outside.
    expect(cropOf({ x: 1001, y: -1, width: 1001, height: 1000 }, picture)).toMatchObject({ x: 1000, y: 0, width: 1000 })
    expect(cropOf({ x: 0, y: 0, width: 40, height: 40 }, { width: 40, height: 60 }).side).toBe(40)
  })
})

describe('the statement of credits', () => {
  let ids = 0
  const entry = (kind: LedgerEntry['kind'], amount: number, job: string | null = null): LedgerEntry => {
    ids += 1
    const createdAt = '2026-11-20T08:00:00Z'
    return { _id: `e-${ids}`, kind, amount, job, balanceAfter: 100, createdAt, grant: 'g-1' }
  }

  it('has one signed line for the cost of a job', () => {
    const newestFirst = [
      entry('Release', 58, 'job-1'),
      entry('Hold', 60, 'job-2'),
      entry('Capture', 2, 'job-1'),
      entry('Hold', 60, 'job-1'),
      entry('Grant', 1000),
    ]
    const lines = statementLines(newestFirst, 'en')
    expect(lines.map(({ entry: { job }, amount, reserved }) => [job, amount, reserved])).toEqual([
      ['job-1', '−2', null],
      ['job-2', '0', 60],
      [null, '+1,000', null],
    ])
  })

  it('shows zero for a canceled job', () => {
    const lines = statementLines([entry('Release', 60, 'job-3'), entry('Hold', 60, 'job-3')], 'en')
    expect(lines.map(({ amount, reserved }) => [amount, reserved])).toEqual([['0', null]])
  })
})

describe('a ceiling', () => {
  it('is a whole number of credits, or none', () => {
    const taken = ['', '  ', '500', '1,000', '12 000', '1,234,567', '٥٠٠'].map(ceilingOf)
    expect(taken).toEqual([null, null, 500, 1000, 12_000, 1_234_567, 500])
    const refused = ['0', '-5', 'all', ',', '1.5', '0,500', '10000000000000', '50%']
    expect(refused.map(ceilingOf)).toEqual(refused.map(() => undefined))
  })
})
