import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FrameApp, FrameMessage } from '@/shared/lib/frame-bridge'
import { takeHandedFile } from '@/shared/lib/handed-file'
import { useFileDrop } from '@/shared/lib/use-file-drop'
import { toast } from '@/shared/ui/toast'
import { keyOf } from './model'
import type { EditorSession } from './use-session'

export type FileImport = {
  /** Imports a file, as soon as the editor has started. */
  take: (file: File) => void
  /** Whether a file is above the page. */
  over: boolean
  /** The app of the imported graph that is open; null if it has none, or if the offer was answered. */
  app: FrameApp | null
  dismiss: () => void
}

/** Imports files that carry a graph. Each opens in a new tab of the editor, once the open graph is stored as a draft. */
export function useFileImport(session: EditorSession): FileImport {
  const { t } = useTranslation('nodeEditor')
  const { bridge, ready, look, project } = session
  const [handed] = useState(takeHandedFile)
  const waiting = useRef(handed)
  const [offer, setOffer] = useState<{ app: FrameApp; of: string } | null>(null)
  const take = useCallback(
    (file: File) => {
      if (ready) bridge.send({ type: 'importFile', file })
      else waiting.current = file
    },
    [bridge, ready],
  )
  useEffect(() => {
    const file = waiting.current
    if (!ready || !file) return
    waiting.current = null
    take(file)
  }, [ready, take])
  const over = useFileDrop(([file]) => file && take(file))

  const onMessage = async (message: FrameMessage) => {
    if (message.type === 'importFailed') toast.error(t(`import.${message.reason}`, { name: message.name }))
    if (message.type === 'importFound') {
      // A graph whose draft cannot be stored stays in its tab.
      await look().catch(() => undefined)
      bridge.send({ type: 'openImport', importId: message.importId })
    }
    if (message.type === 'imported') {
      const seen = await look()
      if (message.app) setOffer({ app: message.app, of: keyOf(seen.project) })
    }
  }
  const latest = useRef(onMessage)
  latest.current = onMessage
  useEffect(() => bridge.listen((message) => void latest.current(message).catch(() => undefined)), [bridge])
  const app = offer?.of === keyOf(project) ? offer.app : null
  return { take, over, app, dismiss: () => setOffer(null) }
}
