import { type ComponentType, lazy, useEffect } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { ChunkError } from '@/shared/lib/chunk'
import { type LostProps, PartLost } from './part-lost'

/**
 * A component whose code is loaded when it is first shown. React's `lazy` keeps a failure for good and hands it to the
 * page around it; this shows `Lost` in its place, and the component as soon as the code has been loaded.
 */
export function lazyPart<Props extends Needed & object, Needed extends object = object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Lost: ComponentType<LostProps<Needed>> = PartLost,
): ComponentType<Props> {
  let failed = false
  const fresh = () =>
    lazy(() =>
      load().catch((error: unknown) => {
        failed = true
        throw error
      }),
    )
  let Part = fresh()
  function Latest(props: Props) {
    const Shown = Part
    return <Shown {...props} />
  }
  // One that is shown elsewhere stays the same component, and keeps its state.
  const reset = () => {
    if (failed) Part = fresh()
    failed = false
  }
  return function LazyPart(props: Props) {
    // A part that failed here is loaded again where it is shown next.
    useEffect(() => reset, [])
    return (
      <ErrorBoundary
        onReset={reset}
        fallbackRender={({ error, resetErrorBoundary }) => {
          if (!(error instanceof ChunkError)) throw error
          return <Lost error={error} onLoaded={resetErrorBoundary} part={props} />
        }}
      >
        <Latest {...props} />
      </ErrorBoundary>
    )
  }
}
