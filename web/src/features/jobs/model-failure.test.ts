import { describe, expect, it } from 'vitest'
import type { JobStatus } from '@/shared/api/types'
import { modelFailure } from './model-failure'

const raised = (exception_type: string, exception_message: string) =>
  ({ status: 'ExecuteError', executeException: { exception_type, exception_message } }) as unknown as JobStatus

describe('the failure of a model', () => {
  it.each([
    ['torch.OutOfMemoryError', 'Allocation on device', 'memory'],
    ['torch.cuda.OutOfMemoryError', 'CUDA out of memory. Tried to allocate 2.00 GiB', 'memory'],
    ['torch.AcceleratorError', 'CUDA error: out of memory', 'memory'],
    ['RuntimeError', 'CUDA out of memory.\nThis error means you ran out of memory on your GPU.', 'memory'],
    ['FileNotFoundError', "Model in folder 'vae' with filename 'ae.safetensors' not found.", 'missingFile'],
    ['RuntimeError', 'ERROR: Could not detect model type of: /models/x.safetensors', 'unknownModel'],
    [
      'RuntimeError',
      'ERROR: clip input is invalid: None\n\nIf the clip is from a checkpoint loader node',
      'noTextEncoder',
    ],
    ['RuntimeError', 'ERROR: VAE is invalid: None\n\nIf the VAE is from a checkpoint loader node', 'noVae'],
    ['RuntimeError', 'mat1 and mat2 shapes cannot be multiplied (77x768 and 2048x640)', 'wrongTextEncoder'],
    ['RuntimeError', 'Given groups=1, weight of size [512, 16, 3, 3], expected input[1, 4, 64, 64]', 'wrongVae'],
    ['ValueError', 'The safetensors file is corrupt/incomplete. Check the file size', 'brokenFile'],
    ['ValueError', 'This Controlnet needs a VAE but none was provided', 'controlNetVae'],
    ['Exception', 'Upscale model must be a single-image model.', 'upscaleModel'],
  ])('is known: %s %s', (type, message, failure) => {
    expect(modelFailure(raised(type, message))).toBe(failure)
  })

  it('is known where the worker refuses a file that it does not list', () => {
    const node_errors = { '1': { errors: [{ type: 'value_not_in_list', details: "ckpt_name: 'a' not in []" }] } }
    const status = { status: 'InvalidPrompt', validateException: { message: 'refused', node_errors } }
    expect(modelFailure(status as unknown as JobStatus)).toBe('missingFile')
  })

  it('is not guessed', () => {
    expect(modelFailure(raised('ValueError', 'width is too large'))).toBeUndefined()
    expect(modelFailure({ status: 'Canceled' } as unknown as JobStatus)).toBeUndefined()
  })
})
