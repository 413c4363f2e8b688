import { Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { AlertSettings } from '@/features/notifications'
import { Skeleton } from '@/shared/ui/states'
import { Section } from './section'

/** What the person is mailed about. Letters lead here by `#notifications`. */
export function AlertsSection() {
  const { t } = useTranslation('account')
  const { hash, key } = useLocation()
  const place = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every press on such a link leads here anew.
  useEffect(() => {
    if (hash === '#notifications') place.current?.scrollIntoView({ block: 'start' })
  }, [hash, key])
  return (
    <Section title={t('alerts.title')} lead={t('alerts.text')} place={place}>
      <Suspense fallback={<Skeleton style={{ height: 320, borderRadius: 12 }} />}>
        <AlertSettings />
      </Suspense>
    </Section>
  )
}
