import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { PersonMoney } from '@/features/billing'
import { DecisionList } from '@/features/moderation'
import { isApiError } from '@/shared/api/errors'
import type { Ban, PersonDetail } from '@/shared/api/types'
import { formatDate, formatMoment, formatNumber } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { Avatar } from '@/shared/ui/avatar'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { CopyButton } from '@/shared/ui/copy-button'
import { type Fact, FactRows } from '@/shared/ui/fact-rows'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { personQuery } from '../api'
import { PersonActions } from './person-actions'
import styles from './person-detail.module.css'

export function PersonDetailCard({ id, onBack }: { id: string; onBack: () => void }) {
  const { t } = useTranslation('people')
  const found = useQuery(personQuery(id))
  return (
    <>
      <Button className={styles.back} tone="ghost" icon="left" onClick={onBack}>
        {t('back')}
      </Button>
      {found.isPending ? (
        <div className={styles.card} aria-busy="true">
          <Skeleton style={{ height: 56, width: '60%', borderRadius: 8 }} />
          <Skeleton style={{ height: 180, borderRadius: 8 }} />
        </div>
      ) : found.data ? (
        <Found person={found.data} />
      ) : isApiError(found.error, 404) || isApiError(found.error, 400) ? (
        <EmptyState icon="people" title={t('gone')} />
      ) : (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      )}
    </>
  )
}

function Found({ person }: { person: PersonDetail }) {
  const { t } = useTranslation('people')
  return (
    <div className={styles.card}>
      <header className={styles.head}>
        <Avatar name={person.name} url={person.profile?.thumbnailUrl} size={56} />
        <div className={styles.who}>
          <h2 className={styles.name}>
            {person.name} <span className={styles.tag}>{person.nameTag}</span>
          </h2>
          <p className={styles.mail}>{person.email}</p>
        </div>
        {person.roles.includes('Admin') && <Chip tone="live">{t('admin')}</Chip>}
      </header>
      {person.ban && <Banned ban={person.ban} />}
      <nav className={styles.links} aria-label={t('links')}>
        <ButtonLink size="small" tone="outline" icon="account" to={paths.admin.profile(person._id)}>
          {t('profile')}
        </ButtonLink>
        <ButtonLink size="small" tone="outline" icon="speech" to={paths.admin.comments(person._id)}>
          {t('comments')}
        </ButtonLink>
        <ButtonLink size="small" tone="outline" icon="log" to={paths.admin.audit({ target: person._id })}>
          {t('audit')}
        </ButtonLink>
      </nav>
      <Facts person={person} />
      <PersonActions person={person} />
      <PartBoundary>
        <Suspense fallback={<Skeleton style={{ height: 180, borderRadius: 8 }} />}>
          <PersonMoney id={person._id} email={person.email} />
        </Suspense>
      </PartBoundary>
      <section className={styles.part}>
        <h3 className={styles.subtitle}>{t('history')}</h3>
        <DecisionList decisions={person.history} />
      </section>
    </div>
  )
}

function Banned({ ban }: { ban: Ban }) {
  const { t, i18n } = useTranslation('people')
  const end = ban.until ? t('bannedUntil', { time: formatMoment(ban.until, i18n.language) }) : t('bannedForGood')
  return (
    <p className={styles.ban}>
      <strong>{end}</strong> {ban.reason}
    </p>
  )
}

function Facts({ person }: { person: PersonDetail }) {
  const { t, i18n } = useTranslation('people')
  const ways = [...(person.hasPassword ? [t('password')] : []), ...person.signInWith].join(', ')
  const facts: Fact[] = [
    [
      t('plan'),
      person.planUntil ? t('planUntil', { plan: person.plan, day: formatDate(person.planUntil) }) : person.plan,
    ],
    [t('credits'), formatNumber(person.credits, i18n.language)],
    [t('sessions'), formatNumber(person.sessionCount, i18n.language)],
    [t('signsInWith'), ways || t('none')],
    [t('mail'), t(person.emailVerified ? 'confirmed' : 'unconfirmed')],
    [t('language'), t(person.language === 'ko' ? 'ko' : 'en')],
    [t('joined'), formatDate(person.createdAt)],
  ]
  return (
    <dl className={styles.facts}>
      <FactRows facts={facts} />
      <div className={styles.whole}>
        <dt>{t('id')}</dt>
        <dd className={styles.id}>
          <code>{person._id}</code>
          <CopyButton text={person._id} label={t('copyId')} />
        </dd>
      </div>
    </dl>
  )
}
