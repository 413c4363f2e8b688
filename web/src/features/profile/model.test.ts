import { describe, expect, it } from 'vitest'
import { contactBody, contactHref, contactsOf, contactText, draftOf, moved } from './model'

const points = { email: { value: 'a@b.example', order: 0 }, homepage: { value: 'https://b.example/', order: 1 } }

describe('contact points', () => {
  it('keep the order of their owner', () => {
    expect(contactsOf(points).map((point) => point.kind)).toEqual(['email', 'homepage'])
  })

  it('list empty kinds after the existing ones', () => {
    expect(draftOf(points).map((point) => point.kind)).toEqual(['email', 'homepage', 'instagram'])
  })

  it('are sent by kind with their positions', () => {
    expect(
      contactBody([
        { kind: 'instagram', value: ' ann ' },
        { kind: 'email', value: '' },
      ]),
    ).toEqual({
      instagram: { value: 'ann', order: 0 },
      email: { value: '', order: 1 },
    })
  })

  it('can be moved within the list only', () => {
    const draft = draftOf(points)
    expect(moved(draft, 0, 1).map((point) => point.kind)).toEqual(['homepage', 'email', 'instagram'])
    expect(moved(draft, 0, -1)).toBe(draft)
  })

  it.each([
    [{ kind: 'instagram', value: 'ann.makes' }, 'https://www.instagram.com/ann.makes/', '@ann.makes'],
    [{ kind: 'email', value: 'a@b.example' }, 'mailto:a@b.example', 'a@b.example'],
    [{ kind: 'homepage', value: 'https://b.example/' }, 'https://b.example/', 'b.example'],
    [{ kind: 'homepage', value: 'javascript:alert(1)' }, undefined, 'javascript:alert(1)'],
  ] as const)('%o links to %s', (point, href, text) => {
    expect(contactHref(point)).toBe(href)
    expect(contactText(point)).toBe(text)
  })
})
