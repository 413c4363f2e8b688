import { expect, it } from 'vitest'
import { dropAllDrafts, readDraft, writeDraft } from './draft'

const image = (id: string) => ({ id, name: `${id}.png`, url: `/${id}`, thumbnailUrl: null })

it('a draft keeps only pictures that the form still uses', () => {
  writeDraft('app', { values: { picture: 'a' }, images: { a: image('a'), b: image('b') } })
  expect(readDraft('app')?.images).toEqual({ a: image('a') })
})

it('a new draft replaces the oldest', () => {
  for (let number = 0; number < 45; number += 1) writeDraft(`app-${number}`, { values: {}, images: {} })
  expect(readDraft('app-0')).toBeNull()
  expect(readDraft('app-44')).not.toBeNull()
})

it('drafts are deleted on sign-out', () => {
  writeDraft('app', { values: { text: 'secret' }, images: {} })
  dropAllDrafts()
  expect(Object.keys(localStorage).filter((key) => key.startsWith('vg.draft'))).toEqual([])
})

it('a malformed draft is ignored', () => {
  localStorage.setItem('vg.draft.app', '{broken')
  expect(readDraft('app')).toBeNull()
})
