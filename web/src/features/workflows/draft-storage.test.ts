import { beforeEach, describe, expect, it } from 'vitest'
import { workflow } from '@/shared/testing/factories'
import { dropWorkflowDrafts, workflowDrafts } from './draft-storage'
import { draftOf } from './model'

const draft = { ...draftOf(workflow()), name: 'Typed' }

describe('drafts of posts', () => {
  beforeEach(() => localStorage.clear())

  it('are kept only for the same version of the workflow', () => {
    workflowDrafts.keep('a', 'monday', draft)
    expect(workflowDrafts.read('a', 'monday')?.name).toBe('Typed')
    expect(workflowDrafts.read('b', 'monday')).toBeNull()
    expect(workflowDrafts.read('a', 'tuesday')).toBeNull()
    expect(workflowDrafts.read('a', 'monday')).toBeNull()
  })

  it('replace the oldest, and are deleted on sign-out', () => {
    for (let index = 0; index < 25; index += 1) workflowDrafts.keep(`w${index}`, 'monday', draft)
    expect(workflowDrafts.read('w0', 'monday')).toBeNull()
    expect(workflowDrafts.read('w24', 'monday')).not.toBeNull()
    workflowDrafts.forget('w24')
    expect(workflowDrafts.read('w24', 'monday')).toBeNull()
    dropWorkflowDrafts()
    expect(Object.keys(localStorage)).toEqual([])
  })
})
