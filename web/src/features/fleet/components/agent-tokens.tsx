import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AgentToken, NewAgentToken } from '@/shared/api/types'
import { formatRelative } from '@/shared/lib/format'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { CopyButton } from '@/shared/ui/copy-button'
import { Dialog, useConfirm } from '@/shared/ui/dialog'
import { TextField } from '@/shared/ui/field'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { agentTokensQuery, useAllowAgents, useCreateAgentToken, useRevokeAgentToken } from '../api'
import styles from './worker-list.module.css'

const MAX_NAME = 60
const poolsOf = (words: string): string[] =>
  words
    .split(',')
    .map((pool) => pool.trim())
    .filter(Boolean)

/** The tokens with which machines register as workers. */
export function AgentTokens() {
  const { t } = useTranslation('fleet')
  const text = useProblemText()
  const tokens = useQuery(agentTokensQuery())
  const create = useCreateAgentToken()
  const [created, setCreated] = useState<NewAgentToken | null>(null)
  const form = useForm({
    start: { name: '', pools: '' },
    check: ({ name, pools }) => {
      const needed = t('tokens.required')
      if (!name.trim()) return { name: needed }
      return { pools: poolsOf(pools).length === 0 ? needed : undefined }
    },
    send: ({ name, pools }) =>
      create.mutate(
        { name: name.trim(), pools: poolsOf(pools) },
        {
          onSuccess: (made) => {
            setCreated(made)
            form.set({ name: '' })
          },
          onError: (error) => toast.error(t('tokens.failed', { message: text(error) }), error),
        },
      ),
  })
  return (
    <section className={styles.workers} aria-labelledby="agent-tokens">
      <h2 id="agent-tokens">{t('tokens.title')}</h2>
      <p className={styles.facts}>{t('tokens.lead')}</p>
      <form {...form.form} className={styles.form}>
        <TextField label={t('tokens.name')} maxLength={MAX_NAME} {...form.field('name')} />
        <TextField label={t('tokens.pools')} {...form.field('pools')} />
        <Button type="submit" tone="outline" icon="key" busy={create.isPending}>
          {t('tokens.create')}
        </Button>
      </form>
      {tokens.isPending && <Skeleton style={{ height: 56 }} />}
      {tokens.isError && <ErrorState error={tokens.error} onRetry={() => void tokens.refetch()} />}
      <ul>
        {tokens.data?.map((token) => (
          <Line key={token._id} token={token} />
        ))}
      </ul>
      <Dialog open={created !== null} onClose={() => setCreated(null)} title={t('tokens.createdTitle')} width={560}>
        <p>{t('tokens.createdText')}</p>
        <code className={styles.secret}>{created?.token}</code>
        <div className={styles.actions}>
          <CopyButton
            text={created?.token ?? ''}
            label={t('tokens.copy')}
            size="normal"
            named={created?.agentToken.name ?? ''}
          />
          <Button tone="primary" onClick={() => setCreated(null)}>
            {t('tokens.done')}
          </Button>
        </div>
      </Dialog>
    </section>
  )
}

function Line({ token }: { token: AgentToken }) {
  const { t, i18n } = useTranslation('fleet')
  const text = useProblemText()
  const confirm = useConfirm()
  const revoke = useRevokeAgentToken()
  const allow = useAllowAgents()
  const { name, removedAgents } = token
  const failed = (error: Error) => toast.error(t('tokens.failed', { message: text(error) }), error)
  const ask = async () => {
    const yes = await confirm({
      title: t('tokens.revokeTitle', { name }),
      text: t('tokens.revokeText'),
      action: t('tokens.revoke'),
      danger: true,
    })
    if (!yes) return
    revoke.mutate(token._id, { onSuccess: () => toast.success(t('tokens.revokedToast', { name })), onError: failed })
  }
  const used = token.lastUsedAt
    ? t('tokens.lastUsed', { when: formatRelative(token.lastUsedAt, i18n.language) })
    : t('tokens.never')
  return (
    <li>
      <div className={styles.what}>
        <p className={styles.name}>{name}</p>
        <p className={styles.facts}>
          {[`${token.prefix}…`, t('pool', { pool: token.pools.join(', ') }), used].join(' · ')}
        </p>
      </div>
      {token.revokedAt ? (
        <Chip>{t('tokens.revoked')}</Chip>
      ) : (
        <>
          {removedAgents > 0 && (
            <Button
              size="small"
              tone="outline"
              busy={allow.isPending}
              onClick={() =>
                allow.mutate(token._id, {
                  onSuccess: () => toast.success(t('tokens.allowed', { name })),
                  onError: failed,
                })
              }
            >
              {t('tokens.allow', { count: removedAgents })}
            </Button>
          )}
          <Button tone="danger" size="small" busy={revoke.isPending} onClick={() => void ask()}>
            {t('tokens.revoke')}
          </Button>
        </>
      )}
    </li>
  )
}
