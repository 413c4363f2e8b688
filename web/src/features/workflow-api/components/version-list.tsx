import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AppVersion } from '@/shared/api/types'
import { formatMoment } from '@/shared/lib/format'
import { Chip } from '@/shared/ui/chip'
import { CopyButton } from '@/shared/ui/copy-button'
import { QueryRows } from '@/shared/ui/query-list'
import { EmptyState } from '@/shared/ui/states'
import { versionsQuery } from '../api'
import styles from './version-list.module.css'

/** All versions of an API with their addresses, newest first. */
export function VersionList({ api }: { api: string }) {
  const { t } = useTranslation('workflowApi')
  const list = useInfiniteQuery(versionsQuery(api))
  return (
    <section className={styles.section} aria-labelledby="api-versions">
      <h2 id="api-versions" className={styles.heading}>
        {t('data.history.title')}
      </h2>
      <p className={styles.text}>{t('data.history.text')}</p>
      <QueryRows
        list={list}
        skeleton={{ height: 140, count: 2 }}
        empty={<EmptyState icon="log" title={t('data.history.none')} />}
      >
        {(version) => <Version version={version} />}
      </QueryRows>
    </section>
  )
}

function Version({ version: { _id, isCurrent, createdAt, run, openapi } }: { version: AppVersion }) {
  const { t, i18n } = useTranslation('workflowApi')
  const { origin } = window.location
  const when = formatMoment(createdAt, i18n.language)
  return (
    <article className={styles.version} aria-label={t('data.history.of', { when })}>
      <p className={styles.head}>
        <time dateTime={createdAt}>{when}</time>
        {isCurrent && <Chip tone="good">{t('data.history.current')}</Chip>}
        <code>{_id}</code>
      </p>
      <Address title={t('data.history.run')} address={`${origin}${run}`} copy={t('data.history.copyRun')} />
      <Address
        title={t('data.history.document')}
        address={`${origin}${openapi}`}
        copy={t('data.history.copyDocument')}
      />
    </article>
  )
}

type AddressProps = { title: string; address: string; copy: string }

function Address({ title, address, copy }: AddressProps) {
  return (
    <div className={styles.address}>
      <p>
        <span className={styles.text}>{title}</span>
        <code>{address}</code>
      </p>
      <CopyButton text={address} label={copy} />
    </div>
  )
}
