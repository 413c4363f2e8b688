import { useCallback, useState } from 'react'

/** Registers a pending upload. The returned function ends it. */
export type TrackUpload = () => () => void

/** Tracks uploads that have to end before a form may be sent. */
export function usePendingUploads(): { uploading: boolean; trackUpload: TrackUpload } {
  const [pending, setPending] = useState(0)
  const trackUpload = useCallback<TrackUpload>(() => {
    let ended = false
    setPending((before) => before + 1)
    return () => {
      if (!ended) setPending((before) => before - 1)
      ended = true
    }
  }, [])
  return { uploading: pending > 0, trackUpload }
}
