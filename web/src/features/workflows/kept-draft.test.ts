import { beforeEach, describe, expect, it } from 'vitest'
import { workflow } from '@/shared/testing/factories'
import { dropWorkflowDrafts, forgetDraft, keepDraft, keptDraft } from './kept-draft'
import { draftOf } from './model'

const draft = { ...draftOf(workflow()), name: 'Typed' }

describe('drafts of posts', () => {
  beforeEach(() => localStorage.clear())

  it('are kept for the workflow as it was, and no longer', () => {
    keepDraft('a', 'monday', draft)
    expect(keptDraft('a', 'monday')?.name).toBe('Typed')
    expect(keptDraft('b', 'monday')).toBeNull()
    expect(keptDraft('a', 'tuesday')).toBeNull()
    expect(keptDraft('a', 'monday')).toBeNull()
  })

  it('make room for each other and go with the session', () => {
    for (let index = 0; index < 25; index += 1) keepDraft(`w${index}`, 'monday', draft)
    expect(keptDraft('w0', 'monday')).toBeNull()
    expect(keptDraft('w24', 'monday')).not.toBeNull()
    forgetDraft('w24')
    expect(keptDraft('w24', 'monday')).toBeNull()
    dropWorkflowDrafts()
    expect(Object.keys(localStorage)).toEqual([])
  })
})
