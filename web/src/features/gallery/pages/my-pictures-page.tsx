import { useTranslation } from 'react-i18next'
import { GuestState, SignedInOnly } from '@/features/auth'
import { paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import { Page } from '@/shared/ui/page'
import { EmptyState } from '@/shared/ui/states'
import { PictureGrid } from '../components/picture-grid'
import type { PicturesPageProps } from './gallery-page'

const MINE = { of: 'mine' } as const

export default function MyPicturesPage({ reveal }: PicturesPageProps) {
  const { t } = useTranslation('gallery')
  const action = (
    <ButtonLink tone="primary" to={paths.apps()}>
      {t('emptyAction')}
    </ButtonLink>
  )
  const grid = (
    <PictureGrid
      list={MINE}
      label={t('title')}
      dated
      reveal={reveal}
      empty={<EmptyState icon="picture" title={t('emptyTitle')} text={t('emptyText')} action={action} />}
    />
  )
  return (
    <Page title={t('title')} lead={t('lead')}>
      <SignedInOnly guest={<GuestState icon="picture" title={t('guestTitle')} text={t('guestText')} />} waiting={grid}>
        {() => grid}
      </SignedInOnly>
    </Page>
  )
}
