import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobOutput, OutputAsset } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { openModal } from '@/shared/ui/modals'
import { toast } from '@/shared/ui/toast'
import { fetchPictures } from '../api'
import styles from './job-display.module.css'

const isOffered = (picture: OutputAsset) => picture.isPrivate && picture.isPublishable && !picture.moderation

/** `label` is the text of the button, where "Publish" alone would be ambiguous. */
export default function PublishResult({ outputs, label }: { outputs: JobOutput[]; label?: string }) {
  const { t } = useTranslation('jobs')
  const text = useProblemText()
  const [busy, setBusy] = useState(false)
  const files = outputs.flatMap(({ outputs: made }) => [
    ...(made.images ?? []),
    ...(made.gifs ?? []),
    ...(made.audio ?? []),
  ])
  const ids = files.flatMap((file) => file.outputAsset ?? [])
  if (ids.length === 0) return null
  const ask = async () => {
    setBusy(true)
    try {
      const pictures = (await fetchPictures(ids)).filter(isOffered)
      if (pictures.length > 0) openModal('publish', { pictures })
      else toast.info(t('publish.nothing'))
    } catch (error) {
      toast.error(text(error), error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={styles.publish}>
      <Button tone="outline" icon="upload" busy={busy} onClick={() => void ask()}>
        {label ?? t('publish.action', { count: ids.length })}
      </Button>
    </div>
  )
}
