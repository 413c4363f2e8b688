import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  PROVIDER_NAMES,
  PROVIDERS,
  type Provider,
  ProviderMark,
  rememberLinking,
  signInOptionsQuery,
  useStartLinking,
  useUnlink,
} from '@/features/auth'
import type { User } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { useConfirm } from '@/shared/ui/dialog'
import { toast } from '@/shared/ui/toast'
import list from '../pages/account-page.module.css'
import styles from './account-tab.module.css'
import { Section } from './section'

/** Google and Discord, if offered or connected. */
export function ConnectionsSection({ user }: { user: User }) {
  const { t } = useTranslation('account')
  const offered = useQuery(signInOptionsQuery()).data
  const isConnected = (provider: Provider) => user.signInWith.includes(PROVIDER_NAMES[provider])
  const shown = PROVIDERS.filter((provider) => offered?.[provider] || isConnected(provider))
  if (shown.length === 0) return null
  /** The last way to sign in cannot be removed: the server refuses it, so the page explains it first. */
  const isLast = (provider: Provider) =>
    !user.hasPassword && !PROVIDERS.some((other) => other !== provider && isConnected(other) && offered?.[other])
  return (
    <Section title={t('connections.title')} lead={t('connections.lead')}>
      <ul className={list.list}>
        {shown.map((provider) => (
          <Connection
            key={provider}
            provider={provider}
            isConnected={isConnected(provider)}
            isLast={isLast(provider)}
          />
        ))}
      </ul>
    </Section>
  )
}

type ConnectionProps = { provider: Provider; isConnected: boolean; isLast: boolean }

function Connection({ provider, isConnected, isLast }: ConnectionProps) {
  const { t } = useTranslation('account')
  const text = useProblemText()
  const confirm = useConfirm()
  const start = useStartLinking()
  const unlink = useUnlink()
  const name = PROVIDER_NAMES[provider]
  const failed = (error: unknown) => toast.error(t('connections.failed', { message: text(error) }), error)
  const connect = () => {
    rememberLinking(provider)
    start.mutate(provider, { onError: failed })
  }
  const disconnect = async () => {
    const yes = await confirm({
      title: t('connections.question', { provider: name }),
      text: t('connections.text'),
      action: t('connections.disconnect'),
      danger: true,
    })
    if (!yes) return
    unlink.mutate(provider, {
      onSuccess: () => toast.success(t('connections.disconnected', { provider: name })),
      onError: failed,
    })
  }
  return (
    <li className={list.item}>
      <div className={styles.connection}>
        <ProviderMark provider={provider} />
        <div>
          <p className={list.itemName}>{name}</p>
          <p className={list.note}>
            {isConnected && isLast ? t('connections.lastWay') : t(isConnected ? 'connections.on' : 'connections.off')}
          </p>
        </div>
      </div>
      {isConnected ? (
        <Button
          size="small"
          disabled={isLast}
          busy={unlink.isPending}
          aria-label={t('connections.disconnectFrom', { provider: name })}
          onClick={() => void disconnect()}
        >
          {t('connections.disconnect')}
        </Button>
      ) : (
        <Button
          size="small"
          // Stays pending until the browser has left the page.
          busy={start.isPending || start.isSuccess}
          aria-label={t('connections.connectTo', { provider: name })}
          onClick={connect}
        >
          {t('connections.connect')}
        </Button>
      )}
    </li>
  )
}
