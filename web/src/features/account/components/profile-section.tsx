import { useTranslation } from 'react-i18next'
import { useSaveLanguage } from '@/features/auth'
import type { User } from '@/shared/api/types'
import { formatDate } from '@/shared/lib/format'
import { Chip } from '@/shared/ui/chip'
import { fieldClasses } from '@/shared/ui/field'
import { Segments } from '@/shared/ui/segments'
import { toast } from '@/shared/ui/toast'
import styles from '../pages/account-page.module.css'
import { NameForm } from './name-form'
import { Portrait } from './portrait'
import { Section } from './section'

export function ProfileSection({ user }: { user: User }) {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const saveLanguage = useSaveLanguage()
  const languages = [
    { key: 'en' as const, title: common('english') },
    { key: 'ko' as const, title: common('korean') },
  ]
  return (
    <Section title={t('profile.title')}>
      <Portrait user={user} />
      <NameForm user={user} />
      <div className={fieldClasses.field}>
        <span className={fieldClasses.label}>{t('profile.language')}</span>
        <span>
          <Segments
            label={t('profile.language')}
            options={languages}
            value={user.language}
            disabled={saveLanguage.isPending}
            onChange={(language) =>
              saveLanguage.mutate(language, { onError: (error) => toast.error(common('errors.languageFailed'), error) })
            }
          />
        </span>
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>{t('profile.email')}</dt>
          <dd>{user.email}</dd>
          <dd>
            <Chip tone={user.emailVerified ? 'good' : 'warn'}>
              {t(user.emailVerified ? 'profile.verified' : 'profile.unverified')}
            </Chip>
          </dd>
        </div>
        <Fact title={t('profile.tag')} value={user.nameTag} />
        <Fact title={t('profile.plan')} value={user.subscriptions[0]?.name ?? t('profile.free')} />
        <Fact title={t('profile.since')} value={formatDate(user.createdAt)} />
      </dl>
    </Section>
  )
}

function Fact({ title, value }: { title: string; value: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{value}</dd>
    </div>
  )
}
