import { useTranslation } from 'react-i18next'
import { BlockList } from '@/features/blocks'
import { Section } from './section'

/** Whom the person does not want to hear from. */
export function BlocksSection() {
  const { t } = useTranslation('account')
  return (
    <Section title={t('blocks.title')} lead={t('blocks.text')}>
      <BlockList />
    </Section>
  )
}
