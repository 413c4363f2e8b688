import { Suspense, useRef } from 'react'
import type { OutputFile } from '@/shared/api/types'
import { chunk } from '@/shared/lib/chunk'
import { formatBytes } from '@/shared/lib/format'
import { isModel, MOST_MODEL_BYTES } from '@/shared/lib/model-files'
import { useInSight } from '@/shared/lib/use-in-sight'
import { Button } from '@/shared/ui/button'
import { lazyPart } from '@/shared/ui/lazy-part'
import styles from './job-files.module.css'

const ModelViewer = lazyPart(chunk(() => import('@/shared/ui/model-viewer')))

/** Files that are neither pictures, videos nor sounds: 3D models can be turned, all can be downloaded. */
export default function JobFiles({ files, onSave }: { files: OutputFile[]; onSave: (file: OutputFile) => void }) {
  return (
    <>
      {files.filter(isShown).map((file) => (
        <Model key={file.url} url={file.url} name={nameOf(file)} />
      ))}
      <div className={styles.files}>
        {files.map((file) => (
          <Button key={file.url} tone="outline" icon="download" onClick={() => onSave(file)}>
            {nameOf(file)}
            {file.sizeBytes != null && ` · ${formatBytes(file.sizeBytes)}`}
          </Button>
        ))}
      </div>
    </>
  )
}

function Model(props: { url: string; name: string }) {
  const box = useRef<HTMLDivElement>(null)
  const seen = useInSight(box)
  return (
    <div ref={box} className={styles.model} data-testid="model">
      {seen && (
        <Suspense>
          <ModelViewer {...props} />
        </Suspense>
      )}
    </div>
  )
}

const nameOf = ({ fileName, url }: OutputFile) => fileName ?? url.split('/').pop() ?? url

const isShown = (file: OutputFile) => isModel(nameOf(file)) && (file.sizeBytes ?? 0) <= MOST_MODEL_BYTES
