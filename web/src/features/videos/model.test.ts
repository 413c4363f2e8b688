import { describe, expect, it } from 'vitest'
import { dayOf, dayToTime, frameUrl, VIDEOS } from './model'

describe('the filters in the address', () => {
  it('keep known values and ignore others', () => {
    expect(VIDEOS.read(new URLSearchParams('sort=oldest&keyword=+사진+&author=Verdi'))).toEqual({
      sort: 'oldest',
      keyword: '사진',
      author: 'Verdi',
    })
    expect(VIDEOS.read(new URLSearchParams('sort=random')).sort).toBe('newest')
  })

  it('drop an empty value', () => {
    const params = VIDEOS.write(new URLSearchParams('sort=oldest&keyword=x'), { keyword: '' })
    expect(params.toString()).toBe('sort=oldest')
  })
})

describe('the embed address', () => {
  it('is built from the id alone', () => {
    expect(frameUrl('dQw4w9WgXcQ')).toBe('https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&rel=0')
    for (const id of ['', 'short', 'dQw4w9WgXc"', '../../evil/', 'dQw4w9WgXcQQ']) expect(frameUrl(id)).toBeNull()
  })
})

it('days convert to times and back', () => {
  expect(dayToTime('2025-03-09')).toBe('2025-03-09T00:00:00Z')
  expect(dayToTime('')).toBeUndefined()
  expect(dayOf('2025-03-09T00:00:00Z')).toBe('2025-03-09')
})
