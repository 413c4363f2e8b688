import { useTranslation } from 'react-i18next'
import { GuestState, useUser } from '@/features/auth'
import { paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import { Page } from '@/shared/ui/page'
import { EmptyState } from '@/shared/ui/states'
import { PictureGrid } from '../components/picture-grid'
import type { PicturesPageProps } from './gallery-page'

const MINE = { of: 'mine' } as const

/** Everything that the jobs of this person made, newest first, under the dates on which it was made. */
export default function MyPicturesPage({ reveal }: PicturesPageProps) {
  const { t } = useTranslation('gallery')
  const user = useUser()
  const action = (
    <ButtonLink tone="primary" to={paths.apps()}>
      {t('emptyAction')}
    </ButtonLink>
  )
  return (
    <Page title={t('title')} lead={t('lead')}>
      {user === null ? (
        <GuestState icon="picture" title={t('guestTitle')} text={t('guestText')} />
      ) : (
        <PictureGrid
          list={MINE}
          label={t('title')}
          dated
          reveal={reveal}
          empty={<EmptyState icon="picture" title={t('emptyTitle')} text={t('emptyText')} action={action} />}
        />
      )}
    </Page>
  )
}
