import { describe, expect, it } from 'vitest'
import { AUDIT, changes, startOf, thingOf, toQuery } from './model'

describe('the filters of the audit log', () => {
  it('drop unknown actions and invalid days', () => {
    const asked = AUDIT.read(new URLSearchParams('action=user.hug&from=2026-02-30&to=soon&target=x'))
    expect(asked).toEqual({ admin: '', action: '', target: 'x', from: '', to: '' })
    expect(toQuery(asked)).toEqual({ target: 'x' })
  })

  it('include the last day', () => {
    const asked = AUDIT.read(new URLSearchParams('action=user.ban&from=2026-02-27&to=2026-02-28'))
    const begin = new Date(2026, 1, 27).toISOString()
    expect(toQuery(asked)).toEqual({ action: 'user.ban', from: begin, to: new Date(2026, 2, 1).toISOString() })
    expect(startOf('2026-12-31', 1)).toBe(new Date(2027, 0, 1).toISOString())
  })
})

describe('the changes of an entry', () => {
  it('are listed by field', () => {
    expect(changes({ isPrivate: false, name: 'A' }, { isPrivate: true, name: 'A', tags: [1] })).toEqual([
      { field: 'isPrivate', before: 'false', after: 'true' },
      { field: 'tags', before: '', after: '[1]' },
    ])
    expect(changes({ ban: null }, { ban: { reason: 'spam', until: null } })).toEqual([
      { field: 'ban.reason', before: '', after: 'spam' },
    ])
    expect(changes(null, { reason: 'spam' })).toEqual([{ field: 'reason', before: '', after: 'spam' }])
    expect(changes('a', 'b')).toEqual([{ field: '', before: 'a', after: 'b' }])
    expect(changes(null, null)).toEqual([])
  })

  it('leave out the name that only says what was changed', () => {
    expect(changes({ name: 'Spring', isActive: true }, { isActive: false })).toEqual([
      { field: 'isActive', before: 'true', after: 'false' },
    ])
    expect(changes({ name: 'Spring' }, null)).toEqual([{ field: 'name', before: 'Spring', after: '' }])
  })
})

describe('the target of an entry', () => {
  const entry = { before: null, after: null, target: '0197abcd-0000-7000-8000-000000000101', person: null }

  it('is its name, else the start of its id', () => {
    expect(thingOf({ ...entry, before: { name: 'Silk', isPrivate: false }, after: { isPrivate: true } })).toBe('Silk')
    expect(thingOf(entry)).toBe('0197abcd')
    for (const [before, after, words] of [
      [{ content: '<p>Rude <b>words</b></p>' }, null, 'Rude words'],
      [{ file: 'flux.safetensors', isSet: false }, { file: 'flux.safetensors', isSet: true }, 'flux.safetensors'],
      [null, { task: 'account_deletion' }, 'account_deletion'],
      [{ titleEn: 'Back at noon' }, null, 'Back at noon'],
    ]) {
      expect(thingOf({ ...entry, before, after })).toBe(words)
    }
  })
})
