import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { EmptyState } from '@/shared/ui/states'

/** Stands in for a list of videos that a search has emptied. */
export function NoMatch({ onAll }: { onAll: () => void }) {
  const { t } = useTranslation('videos')
  return (
    <EmptyState
      icon="search"
      title={t('nothingFound')}
      text={t('nothingFoundText')}
      action={<Button onClick={onAll}>{t('showAll')}</Button>}
    />
  )
}
