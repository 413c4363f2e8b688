import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { type EditorSource, editorAddress, editorInstalledQuery } from '@/shared/api/editor'
import { classNames } from '@/shared/lib/class-names'
import { type FrameMessage, frameBridge, type GraphBridge } from '@/shared/lib/frame-bridge'
import { useInSight } from '@/shared/lib/use-in-sight'
import { EDITOR_WIDE, useMedia } from '@/shared/lib/use-media'
import styles from './editor-frame.module.css'

type EditorFrameProps = {
  source: EditorSource
  title: string
  /** Our own drawing: until the frame has loaded, on phones, and without the editor. */
  children: ReactNode
  /** Receives the connection to the frame when its graph is drawn. */
  onBridge?: (bridge: GraphBridge) => void
  onMessage?: (message: FrameMessage) => void
}

/** A graph in the node editor, read-only. It loads megabytes, so only when it comes into view. */
export function EditorFrame(props: EditorFrameProps) {
  const box = useRef<HTMLDivElement>(null)
  const wide = useMedia(EDITOR_WIDE)
  const seen = useInSight(box)
  const installed = useQuery({ ...editorInstalledQuery(), enabled: wide && seen })
  return (
    <div ref={box} className={styles.stage}>
      {wide && seen && installed.data ? <Frame key={editorAddress(props.source, true)} {...props} /> : props.children}
    </div>
  )
}

function Frame({ source, title, children, onBridge, onMessage }: EditorFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [ready, setReady] = useState(false)
  const bridge = useMemo(() => frameBridge(() => frame.current?.contentWindow ?? null, window.location.origin), [])
  // A graph that the frame cannot load stays our drawing; the frame then opens an empty one.
  const failed = useRef(false)
  const latest = useRef({ onBridge, onMessage })
  latest.current = { onBridge, onMessage }
  useEffect(
    () =>
      bridge.listen((message) => {
        if (message.type === 'loadFailed') failed.current = true
        if (message.type === 'editorReady' && !failed.current) {
          setReady(true)
          latest.current.onBridge?.(bridge)
        }
        latest.current.onMessage?.(message)
      }),
    [bridge],
  )
  return (
    <>
      {!ready && children}
      <iframe
        ref={frame}
        className={classNames(styles.frame, !ready && styles.loading)}
        src={editorAddress(source, true)}
        title={title}
        allow="fullscreen"
      />
    </>
  )
}
