import type { JobStatus } from '@/shared/api/types'

/**
 * Failures of models that ComfyUI reports, by the type of the exception and the beginning or a part of its message. The
 * texts are those of ComfyUI 0.3.64 and 0.33.0 and of PyTorch.
 */
const FAILURES = [
  [
    'memory',
    /OutOfMemoryError$/,
    // An `AcceleratorError` has other causes too.
    /Allocation on device|CUDA (error: )?out of memory|ran out of memory on your GPU/i,
  ],
  ['missingFile', null, /Model in folder '.*' with filename '.*' not found|value_not_in_list/],
  ['unknownModel', null, /Could not detect model type of/],
  ['noTextEncoder', null, /clip input is invalid: None/],
  ['noVae', null, /VAE is invalid: None/],
  ['wrongTextEncoder', null, /mat1 and mat2 shapes cannot be multiplied/],
  ['wrongVae', null, /Given groups=\d+, weight of size/],
  ['brokenFile', null, /safetensors file is corrupt|incomplete metadata, file not fully covered/i],
  ['controlNetVae', null, /This Controlnet needs a VAE/i],
  ['upscaleModel', null, /Upscale model must be a single-image model/],
] as const

export type ModelFailure = (typeof FAILURES)[number][0]

/** Which failure of a model ended a job, if it is a known one. */
export function modelFailure({ executeException, validateException }: JobStatus): ModelFailure | undefined {
  const type = executeException?.exception_type ?? ''
  const refused = validateException?.node_errors ? JSON.stringify(validateException.node_errors) : ''
  const said = [executeException?.exception_message, validateException?.message, refused].join('\n')
  const found = FAILURES.find(([, types, words]) => (types?.test(type) ?? false) || words.test(said))
  return found?.[0]
}
