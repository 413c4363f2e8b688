import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiKey, CreatedApiKey } from '@/shared/api/types'
import { formatRelative } from '@/shared/lib/format'
import { API_DOCS } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { CopyButton } from '@/shared/ui/copy-button'
import { Dialog, useConfirm } from '@/shared/ui/dialog'
import { TextField } from '@/shared/ui/field'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { apiKeysQuery, useCreateKey, useRevokeKey } from '../api'
import { MAX_KEY_NAME } from '../model'
import styles from '../pages/account-page.module.css'
import { AssistantsSection } from './assistants-section'

export default function KeysTab() {
  const { t } = useTranslation('account')
  const text = useProblemText()
  const keys = useQuery(apiKeysQuery())
  const create = useCreateKey()
  const [created, setCreated] = useState<CreatedApiKey | null>(null)
  const form = useForm({
    start: { name: '' },
    check: ({ name }) => ({ name: name.trim() ? undefined : t('keys.nameRequired') }),
    send: ({ name }) =>
      create.mutate(name.trim(), {
        onSuccess: (key) => {
          setCreated(key)
          form.reset()
        },
        onError: (error) => toast.error(t('keys.failed', { message: text(error) }), error),
      }),
  })
  return (
    <>
      <p className={styles.lead}>
        {t('keys.lead')} <a href={API_DOCS}>{t('keys.docs')}</a>
      </p>
      <form {...form.form} className={`${styles.form} ${styles.inline}`}>
        <TextField
          label={t('keys.name')}
          placeholder={t('keys.namePlaceholder')}
          maxLength={MAX_KEY_NAME}
          {...form.field('name')}
        />
        <Button type="submit" tone="primary" icon="key" busy={create.isPending}>
          {t('keys.create')}
        </Button>
      </form>
      <section className={styles.section} aria-label={t('tabs.keys')}>
        {keys.isPending && <Skeleton style={{ height: 70, borderRadius: 12 }} />}
        {keys.isError && <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />}
        {keys.data?.length === 0 && <EmptyState icon="key" title={t('keys.empty')} />}
        <ul className={styles.list}>
          {keys.data?.map((key) => (
            <KeyItem key={key._id} apiKey={key} />
          ))}
        </ul>
      </section>
      <AssistantsSection />
      <Dialog open={created !== null} onClose={() => setCreated(null)} title={t('keys.createdTitle')} width={560}>
        <p>{t('keys.createdText')}</p>
        <code className={styles.secret}>{created?.key}</code>
        <div className={styles.actions}>
          <CopyButton text={created?.key ?? ''} label={t('keys.copy')} size="normal" named={created?.name ?? ''} />
          <Button tone="primary" onClick={() => setCreated(null)}>
            {t('keys.done')}
          </Button>
        </div>
      </Dialog>
    </>
  )
}

function KeyItem({ apiKey }: { apiKey: ApiKey }) {
  const { t, i18n } = useTranslation('account')
  const toasts = useResultToasts()
  const confirm = useConfirm()
  const revoke = useRevokeKey()
  const { name } = apiKey
  const ask = async () => {
    const yes = await confirm({
      title: t('keys.revokeTitle', { name }),
      text: t('keys.revokeText'),
      action: t('keys.revoke'),
      danger: true,
    })
    if (!yes) return
    revoke.mutate(
      apiKey._id,
      toasts(t('keys.revokedToast', { name }), (message) => t('keys.failed', { message })),
    )
  }
  return (
    <li className={styles.item}>
      <div>
        <p className={styles.itemName}>{name}</p>
        <p className={styles.note}>
          <code>{`${apiKey.prefix}…`}</code>
          <span>{t('keys.created', { when: formatRelative(apiKey.createdAt, i18n.language) })}</span>
          <span>
            {apiKey.lastUsedAt
              ? t('keys.lastUsed', { when: formatRelative(apiKey.lastUsedAt, i18n.language) })
              : t('keys.neverUsed')}
          </span>
        </p>
      </div>
      {apiKey.revokedAt ? (
        <Chip>{t('keys.revoked')}</Chip>
      ) : (
        <Button tone="danger" size="small" busy={revoke.isPending} onClick={() => void ask()}>
          {t('keys.revoke')}
        </Button>
      )}
    </li>
  )
}
