import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { picturesQuery } from '@/features/gallery'
import type { Asset, OutputAsset } from '@/shared/api/types'
import { formatMoment } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { FieldError } from '@/shared/ui/field'
import { Picture } from '@/shared/ui/picture'
import { QueryList } from '@/shared/ui/query-list'
import { Spinner } from '@/shared/ui/spinner'
import { EmptyState, Skeleton } from '@/shared/ui/states'
import { useCopyAsThumbnail } from '../api/thumbnails'
import styles from './output-picker.module.css'

type OutputPickerProps = {
  /** How many more pictures may be added now. */
  room: number
  /** Called once for each added picture. */
  onPick: (asset: Asset) => void
  onClose: () => void
}

/** Adds the user's own pictures to a workflow, one press for each. */
export default function OutputPicker({ room, onPick, onClose }: OutputPickerProps) {
  const { t, i18n } = useTranslation('files')
  const text = useProblemText()
  const list = useInfiniteQuery(picturesQuery({ of: 'mine' }, true))
  const { mutate } = useCopyAsThumbnail()
  const [added, setAdded] = useState<string[]>([])
  const [sending, setSending] = useState<string[]>([])
  const [problem, setProblem] = useState<string>()
  const free = room - sending.length
  const pick = ({ _id }: OutputAsset) => {
    if (added.includes(_id) || sending.includes(_id)) return
    if (free <= 0) return setProblem(t('outputPicker.full'))
    setProblem(undefined)
    setSending((now) => [...now, _id])
    mutate(_id, {
      onSuccess: (asset) => {
        onPick(asset)
        setAdded((now) => [...now, _id])
      },
      onError: (error) => setProblem(t('outputPicker.failed', { message: text(error) })),
      onSettled: () => setSending((now) => now.filter((id) => id !== _id)),
    })
  }
  const isUsable = ({ kind, isPublishable }: OutputAsset) => kind === 'image' && isPublishable
  return (
    <Dialog open onClose={onClose} title={t('outputPicker.title')} width={720}>
      <div className={styles.picker}>
        <p className={styles.lead}>{t('outputPicker.lead')}</p>
        {problem && <FieldError>{problem}</FieldError>}
        <QueryList
          list={list}
          skeleton={
            <div className={styles.grid} aria-busy="true">
              {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
                <Skeleton key={key} style={{ display: 'block', aspectRatio: 1 }} />
              ))}
            </div>
          }
          empty={
            <EmptyState
              icon="picture"
              title={t('outputPicker.empty')}
              action={<ButtonLink to={paths.apps()}>{t('outputPicker.emptyAction')}</ButtonLink>}
            />
          }
        >
          {(pictures) => (
            <ul className={styles.grid} aria-label={t('outputPicker.title')}>
              {pictures.filter(isUsable).map((picture) => (
                <li key={picture._id}>
                  <button
                    type="button"
                    className={styles.pick}
                    aria-pressed={added.includes(picture._id)}
                    aria-label={t('outputPicker.pick', { when: formatMoment(picture.createdAt, i18n.language) })}
                    onClick={() => pick(picture)}
                  >
                    <Picture
                      src={picture.asset.thumbnailUrl}
                      fallback={picture.rawUrl}
                      blur={picture.asset.blurHash}
                      alt=""
                      ratio={1}
                    />
                    {sending.includes(picture._id) && (
                      <span className={styles.mark}>
                        <Spinner size={16} />
                      </span>
                    )}
                    {added.includes(picture._id) && <span className={styles.mark}>{t('outputPicker.added')}</span>}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </QueryList>
        <div className={styles.end}>
          <span role="status">{t('outputPicker.count', { count: added.length })}</span>
          <Button tone="primary" onClick={onClose}>
            {t('outputPicker.done')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
