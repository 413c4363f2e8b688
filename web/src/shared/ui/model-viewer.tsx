import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { drawModel } from './model-scene'
import styles from './model-viewer.module.css'

type ModelViewerProps = {
  /** Of a GLB file. */
  url: string
  name: string
}

/** A 3D model that can be turned. It loads a library and the file, so it is loaded when it comes into view. */
export default function ModelViewer({ url, name }: ModelViewerProps) {
  const { t } = useTranslation('files')
  const box = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const label = t('model.label', { name })
  useEffect(() => {
    if (!box.current) return
    const leaving = new AbortController()
    const { signal } = leaving
    setState('loading')
    const drawing = drawModel(box.current, url, label, signal)
    drawing.then(
      () => !signal.aborted && setState('shown'),
      () => !signal.aborted && setState('failed'),
    )
    return () => {
      leaving.abort()
      drawing.then(
        (remove) => remove(),
        () => undefined,
      )
    }
  }, [url, label])
  return (
    <figure className={styles.model}>
      <div ref={box} className={styles.box} aria-busy={state === 'loading'}>
        {state !== 'shown' && (
          <p className={styles.state} role="status">
            {t(state === 'failed' ? 'model.failed' : 'model.loading')}
          </p>
        )}
      </div>
      {state === 'shown' && <figcaption className={styles.hint}>{t('model.hint')}</figcaption>}
    </figure>
  )
}
