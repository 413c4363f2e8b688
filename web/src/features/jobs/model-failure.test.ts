import { describe, expect, it } from 'vitest'
import type { JobStatus } from '@/shared/api/types'
import { modelFailure } from './model-failure'
// The scripted server raises the same ones: see workers/tests/jobs/failed.rs.
import failures from './model-failures.json'

const raised = (exception_type: string, exception_message: string) =>
  ({ status: 'ExecuteError', executeException: { exception_type, exception_message } }) as unknown as JobStatus

describe('the failure of a model', () => {
  it.each(failures)('is known: %s %s', (type, message, failure) => {
    expect(modelFailure(raised(type, message))).toBe(failure)
  })

  it('is known where the worker refuses a file that it does not list', () => {
    const node_errors = { '1': { errors: [{ type: 'value_not_in_list', details: "ckpt_name: 'a' not in []" }] } }
    const status = { status: 'InvalidPrompt', validateException: { message: 'refused', node_errors } }
    expect(modelFailure(status as unknown as JobStatus)).toBe('missingFile')
  })

  it('is not guessed', () => {
    expect(modelFailure(raised('ValueError', 'width is too large'))).toBeUndefined()
    const assertion = 'CUDA error: device-side assert triggered'
    expect(modelFailure(raised('torch.AcceleratorError', assertion))).toBeUndefined()
    expect(modelFailure({ status: 'Canceled' } as unknown as JobStatus)).toBeUndefined()
  })
})
