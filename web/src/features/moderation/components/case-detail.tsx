import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { ModerationCaseDetail, Snapshot } from '@/shared/api/types'
import { formatMoment } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { caseQuery } from '../api'
import { contentPath } from '../model'
import styles from './case-detail.module.css'
import { STATE_TONES } from './case-row'
import { DecisionForm } from './decision-form'
import { DecisionList } from './decision-list'
import { PersonLine } from './person-line'
import { ReportList } from './report-list'
import { ReportedPicture } from './reported-picture'

export function CaseDetail({ id, onBack }: { id: string; onBack: () => void }) {
  const { t } = useTranslation('moderation')
  const found = useQuery(caseQuery(id))
  return (
    <>
      <Button className={styles.back} tone="ghost" icon="left" onClick={onBack}>
        {t('case.back')}
      </Button>
      {found.isPending ? (
        <div className={styles.card} aria-busy="true">
          <Skeleton style={{ height: 24, width: '50%' }} />
          <Skeleton style={{ height: 220, borderRadius: 8 }} />
          <Skeleton style={{ height: 120, borderRadius: 8 }} />
        </div>
      ) : found.data ? (
        <Found one={found.data} />
      ) : isApiError(found.error, 404) || isApiError(found.error, 400) ? (
        <EmptyState icon="flag" title={t('case.gone')} />
      ) : (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      )}
    </>
  )
}

function Found({ one }: { one: ModerationCaseDetail }) {
  const { t, i18n } = useTranslation('moderation')
  const nameOf = usePersonName()
  const head = useRef<HTMLHeadingElement>(null)
  // Moves the focus of keyboard users to the case, not to the top of the page.
  useEffect(() => head.current?.focus({ preventScroll: true }), [])
  const place = contentPath(one)
  const differs = one.now && (one.now.title !== one.seen.title || one.now.content !== one.seen.content)
  return (
    <div className={styles.card}>
      <header className={styles.head}>
        <h2 className={styles.title} ref={head} tabIndex={-1}>
          {one.seen.title || t(`case.of.${one.kind}`, { name: nameOf(one.author) })}
        </h2>
        <Chip tone={STATE_TONES[one.state]}>{t(`states.${one.state}`)}</Chip>
        {place && (
          <ButtonLink className={styles.out} size="small" tone="outline" icon="open" to={place}>
            {t('case.see')}
          </ButtonLink>
        )}
      </header>
      {one.decidedAt && one.state !== 'Open' && (
        <p className={styles.note}>
          {t('case.decided', {
            time: formatMoment(one.decidedAt, i18n.language),
            name: nameOf(one.decidedBy),
          })}
        </p>
      )}
      <Seen title={t(differs ? 'case.seen' : 'case.thing')} seen={one.seen} />
      {!one.now && one.state !== 'Deleted' && <p className={styles.note}>{t('case.deletedSince')}</p>}
      {differs && one.now && <Seen title={t('case.now')} seen={one.now} />}
      <section className={styles.part}>
        <h3 className={styles.subtitle}>{t('case.reportsTitle', { count: one.allReports })}</h3>
        <ReportList reports={one.reports} />
      </section>
      <section className={styles.part}>
        <h3 className={styles.subtitle}>{t('case.author')}</h3>
        <p className={styles.author}>
          <PersonLine person={one.author} to={paths.admin.people} size={32} />
          {one.authorBan && <Chip tone="bad">{t('case.banned')}</Chip>}
        </p>
        <DecisionList decisions={one.history} />
      </section>
      <DecisionForm key={one.revision} one={one} />
    </div>
  )
}

function Seen({ title, seen }: { title: string; seen: Snapshot }) {
  const { t } = useTranslation('moderation')
  return (
    <section className={styles.part}>
      <h3 className={styles.subtitle}>{title}</h3>
      {seen.picture && <ReportedPicture picture={seen.picture} />}
      {seen.title && <p className={styles.name}>{seen.title}</p>}
      {seen.content && <p className={styles.words}>{seen.content}</p>}
      {!seen.picture && !seen.content && !seen.title && <p className={styles.note}>{t('case.noWords')}</p>}
    </section>
  )
}
