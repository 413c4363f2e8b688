import { describe, expect, it } from 'vitest'
import { readBlur } from './blur'

describe('the placeholder of a picture', () => {
  it('has the colours of the picture', () => {
    // One component only: the mean colour, in base 83 of 0xff8000.
    const mean = 0xff8000
    const digits = [83 ** 3, 83 ** 2, 83, 1].map((power) => Math.floor(mean / power) % 83)
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~'
    const pixels = readBlur(`00${digits.map((digit) => alphabet[digit]).join('')}`)
    expect([...(pixels ?? []).slice(0, 4)]).toEqual([255, 128, 0, 255])
  })

  it('changes from one side to the other where the picture does', () => {
    const pixels = readBlur('LEHV6nWB2yk8pyo0adR*.7kCMdnj', 8, 6)
    expect(pixels).not.toBeNull()
    expect([...(pixels ?? []).slice(0, 3)]).not.toEqual([...(pixels ?? []).slice(-4, -1)])
  })

  it('is not drawn from a text that is none', () => {
    for (const text of ['', 'L', 'LEHV6nWB2yk8pyo0adR*.7kCMdn']) expect(readBlur(text)).toBeNull()
  })
})
