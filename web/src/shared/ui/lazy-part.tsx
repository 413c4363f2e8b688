import { type ComponentType, lazy, useEffect } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { ChunkError } from '@/shared/lib/chunk'
import { type LoadErrorProps, PartLoadError } from './load-error'

/**
 * A component whose code loads when it is first shown. React's `lazy` caches a failure and throws it to the page; this
 * component shows `Placeholder` in its place and the part as soon as its code has loaded.
 */
export function lazyPart<Props extends Needed & object, Needed extends object = object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Placeholder: ComponentType<LoadErrorProps<Needed>> = PartLoadError,
): ComponentType<Props> {
  let failed = false
  const createLazy = () =>
    lazy(() =>
      load().catch((error: unknown) => {
        failed = true
        throw error
      }),
    )
  let Part = createLazy()
  function Latest(props: Props) {
    const Shown = Part
    return <Shown {...props} />
  }
  // A part that is shown elsewhere stays the same component and keeps its state.
  const reset = () => {
    if (failed) Part = createLazy()
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
          return <Placeholder error={error} onLoaded={resetErrorBoundary} part={props} />
        }}
      >
        <Latest {...props} />
      </ErrorBoundary>
    )
  }
}
