import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { draftStorage } from './draft-storage'
import { useKeptDraft } from './use-kept-draft'

type Draft = { name: string }
const drafts = draftStorage<Draft>('vg.test')
const isSame = (one: Draft, other: Draft) => one.name === other.name
const saved: Draft = { name: 'saved' }

beforeEach(() => localStorage.clear())

const open = (over = '1', first?: Draft, item = saved) =>
  renderHook(() => useKeptDraft({ drafts, id: 'a', over, saved: item, isSame, first })).result

it('restores unsaved edits until they are discarded', () => {
  const one = open()
  expect([one.current.draft, one.current.changed, one.current.restored]).toEqual([saved, false, false])
  act(() => one.current.setDraft({ name: 'edited' }))
  const other = open()
  expect([other.current.draft.name, other.current.changed, other.current.restored]).toEqual(['edited', true, true])
  act(() => other.current.discard())
  expect([other.current.draft, other.current.changed, other.current.restored]).toEqual([saved, false, false])
  expect(open().current.draft).toEqual(saved)
})

it('does not restore edits of an item that was saved elsewhere since', () => {
  const one = open()
  act(() => one.current.setDraft({ name: 'edited' }))
  expect(open('2').current.draft).toEqual(saved)
})

it('takes the saved item over unless there are newer edits', () => {
  const one = open()
  act(() => one.current.setDraft({ name: 'sent' }))
  act(() => one.current.settle({ name: 'sent' }, { name: 'completed' }))
  expect(one.current.draft.name).toBe('completed')
  act(() => one.current.setDraft({ name: 'newer' }))
  act(() => one.current.settle({ name: 'sent' }, { name: 'completed' }))
  expect(one.current.draft.name).toBe('newer')
})

it('starts with a first draft where nothing is stored', () => {
  const one = open('1', { name: 'first' })
  expect([one.current.draft.name, one.current.changed, one.current.restored]).toEqual(['first', true, false])
  act(() => one.current.setDraft({ name: 'edited' }))
  expect(open('1', { name: 'first' }).current.draft.name).toBe('edited')
})
