import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PlanError, useCanUnpublish, useUser } from '@/features/auth'
import type { OutputAsset } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { FieldError } from '@/shared/ui/field'
import { Picture } from '@/shared/ui/picture'
import { Point, Points } from '@/shared/ui/points'
import { Switch } from '@/shared/ui/switch'
import { toast } from '@/shared/ui/toast'
import { useSetPrivate } from '../api'
import styles from './publish-form.module.css'

const SHOWN = 4

type PublishFormProps = { pictures: OutputAsset[]; onDone: (() => void) | undefined; onClose: () => void }

/** Asks before publishing: what becomes visible, whether it can be undone, and whether others see how it was made. */
export default function PublishForm({ pictures, onDone, onClose }: PublishFormProps) {
  const { t } = useTranslation('gallery')
  const { t: common } = useTranslation()
  const text = useProblemText()
  const user = useUser()
  const hiding = useCanUnpublish()
  const decided = hiding.is === 'allowed' || hiding.is === 'refused'
  const publish = useSetPrivate()
  const [shows, setShows] = useState(() => pictures.every((picture) => picture.showsOrigin))
  const count = pictures.length
  const send = () =>
    publish.mutate(
      { ids: pictures.map((picture) => picture._id), isPrivate: false, showsOrigin: shows },
      {
        onSuccess: () => {
          toast.success(count === 1 ? t('published') : t('selection.published', { count }))
          onDone?.()
          onClose()
        },
        onError: (error) => toast.error(t(count === 1 ? 'requestFailed' : 'visibilityFailed'), error),
      },
    )
  return (
    <div className={styles.form}>
      <div className={styles.pictures}>
        {pictures.slice(0, SHOWN).map((picture) => (
          <Picture
            key={picture._id}
            className={styles.picture as string}
            src={picture.hasPreview ? picture.asset.thumbnailUrl || picture.optimalUrl : null}
            fallback={picture.kind === 'image' ? picture.rawUrl : null}
            blur={picture.asset.blurHash}
            alt=""
            ratio={1}
          />
        ))}
        {count > SHOWN && <span className={styles.more}>{`+${count - SHOWN}`}</span>}
      </div>
      <Points>
        <Point icon="eye" text={t('publishing.seen', { count, name: user?.name ?? '' })} />
        <Point icon="clock" text={t('publishing.kept', { count })} />
        {hiding.is === 'allowed' && <Point icon="lock" text={t('publishing.back', { count })} />}
        {hiding.is === 'refused' && (
          <Point icon="warning" warn text={t('publishing.noBack', { count, plan: hiding.plan })} />
        )}
      </Points>
      {hiding.is === 'failed' && <PlanError onRetry={hiding.retry} />}
      <div className={styles.choice}>
        <span>
          <span id="publish-origin" className={styles.name}>
            {t('publishing.origin')}
          </span>
          <span id="publish-origin-help" className={styles.help}>
            {t('publishing.originHelp')}
          </span>
        </span>
        <Switch
          checked={shows}
          aria-labelledby="publish-origin"
          aria-describedby="publish-origin-help"
          onChange={setShows}
        />
      </div>
      {publish.error && <FieldError>{text(publish.error)}</FieldError>}
      <div className={styles.actions}>
        <Button tone="ghost" onClick={onClose}>
          {common('cancel')}
        </Button>
        <Button tone="primary" icon="upload" busy={publish.isPending} disabled={!decided} onClick={send}>
          {t('publish')}
        </Button>
      </div>
    </div>
  )
}
