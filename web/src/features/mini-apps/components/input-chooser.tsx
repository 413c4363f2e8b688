import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useCopyToUploads } from '@/features/gallery'
import type { MiniAppCard, OutputAsset } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { useTranslated } from '@/shared/lib/translated'
import { FieldError } from '@/shared/ui/field'
import { LoadMore } from '@/shared/ui/load-more'
import { Picture } from '@/shared/ui/picture'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { miniAppsQuery } from '../api'
import type { PassedImage } from '../use-initial-values'
import styles from './input-chooser.module.css'

type InputChooserProps = { picture: OutputAsset; onClose: () => void }

export default function InputChooser({ picture, onClose }: InputChooserProps) {
  const { t } = useTranslation('miniApps')
  const text = useProblemText()
  const translated = useTranslated()
  const navigate = useNavigate()
  const apps = useInfiniteQuery(miniAppsQuery('view', { takes: 'image' }))
  const take = useCopyToUploads()
  const choose = (app: MiniAppCard) =>
    take.mutate(picture._id, {
      onSuccess: ({ _id: id, name, url, thumbnailUrl }) => {
        onClose()
        const state: PassedImage = { image: { id, name, url, thumbnailUrl } }
        void navigate(paths.miniApp(app.workflowApi ?? ''), { state })
      },
    })
  if (apps.isError && !apps.data) return <ErrorState error={apps.error} onRetry={() => void apps.refetch()} />
  const fitting = apps.data?.filter((app) => app.workflowApi)
  if (fitting?.length === 0) return <EmptyState icon="apps" title={t('asInput.none')} text={t('asInput.noneText')} />
  return (
    <div className={styles.chooser}>
      <p className={styles.lead}>{t('asInput.lead')}</p>
      {take.error && <FieldError>{t('asInput.failed', { message: text(take.error) })}</FieldError>}
      <ul className={styles.list} aria-busy={!fitting || take.isPending}>
        {fitting
          ? fitting.map((app) => (
              <li key={app._id}>
                <button type="button" disabled={take.isPending} onClick={() => choose(app)}>
                  <Picture
                    className={styles.cover as string}
                    src={app.cover?.thumbnailUrl}
                    fallback={app.cover?.url ?? null}
                    alt=""
                    ratio={1}
                  />
                  <span>{translated(app).name}</span>
                </button>
              </li>
            ))
          : ['a', 'b', 'c', 'd'].map((key) => <Skeleton key={key} style={{ height: 76, borderRadius: 12 }} />)}
      </ul>
      <LoadMore hasMore={apps.hasNextPage} loading={apps.isFetchingNextPage} onMore={() => void apps.fetchNextPage()} />
    </div>
  )
}
