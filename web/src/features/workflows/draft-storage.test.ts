import { beforeEach, describe, expect, it } from 'vitest'
import { workflow } from '@/shared/testing/factories'
import { deleteDraft, dropWorkflowDrafts, readDraft, storeDraft } from './draft-storage'
import { draftOf } from './model'

const draft = { ...draftOf(workflow()), name: 'Typed' }

describe('drafts of posts', () => {
  beforeEach(() => localStorage.clear())

  it('are kept only for the same version of the workflow', () => {
    storeDraft('a', 'monday', draft)
    expect(readDraft('a', 'monday')?.name).toBe('Typed')
    expect(readDraft('b', 'monday')).toBeNull()
    expect(readDraft('a', 'tuesday')).toBeNull()
    expect(readDraft('a', 'monday')).toBeNull()
  })

  it('replace the oldest, and are deleted on sign-out', () => {
    for (let index = 0; index < 25; index += 1) storeDraft(`w${index}`, 'monday', draft)
    expect(readDraft('w0', 'monday')).toBeNull()
    expect(readDraft('w24', 'monday')).not.toBeNull()
    deleteDraft('w24')
    expect(readDraft('w24', 'monday')).toBeNull()
    dropWorkflowDrafts()
    expect(Object.keys(localStorage)).toEqual([])
  })
})
