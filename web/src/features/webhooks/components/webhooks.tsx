import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { useUrlParams } from '@/shared/lib/url-params'
import { Button } from '@/shared/ui/button'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { configsQuery } from '../api'
import { WEBHOOK_PARAMS } from '../model'
import { AddDialog } from './config-dialog'
import { SecretDialog, type ShownSecret } from './secret-dialog'
import { WebhookCard } from './webhook-card'
import styles from './webhooks.module.css'

export default function Webhooks({ api }: { api: string | null }) {
  const { t } = useTranslation('webhooks')
  const configs = useQuery(configsQuery(api))
  const [{ webhook: open }, { replace }] = useUrlParams(WEBHOOK_PARAMS)
  const [adding, setAdding] = useState(false)
  const [secret, setSecret] = useState<ShownSecret | null>(null)
  const add = (
    <Button tone="primary" icon="plus" onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  )
  return (
    <div className={styles.tab}>
      <div className={styles.head}>
        <p className={styles.lead}>
          {t(api === null ? 'leadAccount' : 'leadApi')}
          {api !== null && (
            <>
              {' '}
              <Link to={paths.account('webhooks')}>{t('ofAccount')}</Link>
            </>
          )}
        </p>
        {configs.data && configs.data.length > 0 && add}
      </div>
      {configs.isPending && <Skeleton style={{ height: 132, borderRadius: 12 }} />}
      {configs.isError && !configs.data && <ErrorState error={configs.error} onRetry={() => void configs.refetch()} />}
      {configs.data?.length === 0 && <EmptyState icon="link" title={t('none')} text={t('noneText')} action={add} />}
      {configs.data && configs.data.length > 0 && (
        <ul className={styles.list} aria-label={t('title')}>
          {configs.data.map((config) => (
            <li key={config._id}>
              <WebhookCard
                config={config}
                open={config._id === open}
                onToggle={() => replace({ webhook: config._id === open ? '' : config._id })}
                onSecret={setSecret}
              />
            </li>
          ))}
        </ul>
      )}
      <AddDialog api={api} open={adding} onClose={() => setAdding(false)} onSecret={setSecret} />
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
    </div>
  )
}
