import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { GuestState, useUser } from '@/features/auth'
import { paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import { LoadMore } from '@/shared/ui/load-more'
import { Page } from '@/shared/ui/page'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { VirtualGrid } from '@/shared/ui/virtual-grid'
import { myPicturesQuery } from '../api'
import { PictureTile } from './picture-tile'
import styles from './pictures-list.module.css'

/** Everything that the jobs of this person made, newest first. */
export function PicturesList() {
  const { t } = useTranslation('gallery')
  const user = useUser()
  return (
    <Page title={t('title')} lead={t('lead')}>
      {user === null ? (
        <GuestState icon="picture" title={t('guestTitle')} text={t('guestText')} />
      ) : (
        <Grid enabled={user !== undefined} />
      )}
    </Page>
  )
}

function Grid({ enabled }: { enabled: boolean }) {
  const { t } = useTranslation('gallery')
  const pictures = useInfiniteQuery({ ...myPicturesQuery(), enabled })
  if (pictures.isPending) return <GridSkeleton />
  if (!pictures.data) return <ErrorState error={pictures.error} onRetry={() => void pictures.refetch()} />
  if (pictures.data.length === 0) {
    const action = (
      <ButtonLink tone="primary" to={paths.apps()}>
        {t('emptyAction')}
      </ButtonLink>
    )
    return <EmptyState icon="picture" title={t('emptyTitle')} text={t('emptyText')} action={action} />
  }
  return (
    <>
      <VirtualGrid
        label={t('title')}
        items={pictures.data}
        keyOf={(picture) => picture._id}
        render={(picture, index) => <PictureTile picture={picture} list="mine" showPrivate eager={index < 10} />}
      />
      <LoadMore
        hasMore={pictures.hasNextPage}
        loading={pictures.isFetchingNextPage}
        onMore={() => void pictures.fetchNextPage()}
      />
    </>
  )
}

function GridSkeleton() {
  return (
    <div className={styles.grid} aria-busy="true">
      {Array.from({ length: 15 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: grey boxes have no identity.
        <Skeleton key={index} style={{ aspectRatio: 1 }} />
      ))}
    </div>
  )
}
