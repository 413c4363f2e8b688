import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/features/auth'
import { PictureGrid, type PictureList } from '@/features/gallery'
import { useOutputDays } from '@/features/legal'
import { type NsfwFilter, nsfwFilter, useNsfwChoice } from '@/shared/lib/nsfw'
import { paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import { EmptyState } from '@/shared/ui/states'
import type { TabProps } from '../tabs'

type Kind = 'gallery' | 'image-files' | 'favorite'

const LISTS: Record<Kind, (user: string, nsfw: NsfwFilter) => PictureList> = {
  gallery: (user, nsfw) => ({ of: 'published', user, sort: 'newest', nsfw }),
  'image-files': (user) => ({ of: 'unpublished', user }),
  favorite: (user) => ({ of: 'liked', user }),
}

/** One of the picture lists of a profile; unpublished pictures are grouped by date, with the days left. */
export default function PictureTab({ profile, reveal, kind }: TabProps & { kind: Kind }) {
  const { t } = useTranslation('profile')
  const user = useUser()
  const own = user?._id === profile._id
  // One's own pictures ignore the NSFW choice.
  const nsfw = nsfwFilter(useNsfwChoice())
  const list = useMemo(() => LISTS[kind](profile._id, own ? 'View' : nsfw), [kind, profile._id, own, nsfw])
  const next = { gallery: paths.pictures(), 'image-files': paths.apps(), favorite: paths.gallery() }[kind]
  const days = useOutputDays()
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
        <EmptyState
          icon="picture"
          title={t(`emptyTitle.${kind}`)}
          text={t(`emptyText.${kind}`, { days })}
          action={action}
        />
      }
    />
  )
}
