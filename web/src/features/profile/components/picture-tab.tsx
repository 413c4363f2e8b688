import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/features/auth'
import { PictureGrid, type PictureList } from '@/features/gallery'
import { paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import { EmptyState } from '@/shared/ui/states'
import type { TabProps } from '../tabs'

type Kind = 'gallery' | 'image-files' | 'favorite'

const LISTS: Record<Kind, (user: string) => PictureList> = {
  gallery: (user) => ({ of: 'published', user, sort: 'newest' }),
  'image-files': (user) => ({ of: 'unpublished', user }),
  favorite: (user) => ({ of: 'liked', user }),
}

/** One of somebody's lists of pictures; unpublished ones stand under their dates, with the days that are left. */
export function PictureTab({ profile, reveal, kind }: TabProps & { kind: Kind }) {
  const { t } = useTranslation('profile')
  const user = useUser()
  const list = useMemo(() => LISTS[kind](profile._id), [kind, profile._id])
  const own = user?._id === profile._id
  const next = { gallery: paths.pictures(), 'image-files': paths.apps(), favorite: paths.gallery() }[kind]
  const action = own && (
    <ButtonLink tone="primary" to={next}>
      {t(`emptyAction.${kind}`)}
    </ButtonLink>
  )
  return (
    <PictureGrid
      list={list}
      label={t(`tabs.${kind}`)}
      album
      dated={kind === 'image-files'}
      reveal={reveal}
      empty={
        <EmptyState icon="picture" title={t(`emptyTitle.${kind}`)} text={t(`emptyText.${kind}`)} action={action} />
      }
    />
  )
}
