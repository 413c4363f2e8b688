import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatRelative } from '@/shared/lib/format'
import { useFailureToast } from '@/shared/lib/use-failure-toast'
import { Button } from '@/shared/ui/button'
import { Chip, type ChipTone } from '@/shared/ui/chip'
import { useConfirm } from '@/shared/ui/dialog'
import { toast } from '@/shared/ui/toast'
import { useDeleteWebhook, useEnableWebhook, useRotateSecret, useTestWebhook } from '../api'
import { busyUntil, stateOf, type WebhookState } from '../model'
import type { WebhookConfig } from '../types'
import { useIsBefore } from '../use-is-before'
import { useEventWords, useRefusalText, useRefusalToast } from '../use-words'
import { EditDialog } from './config-dialog'
import { History } from './history'
import { ResendFailedDialog } from './resend-failed-dialog'
import type { ShownSecret } from './secret-dialog'
import styles from './webhook-card.module.css'

const TONES: Record<WebhookState, ChipTone> = {
  gone: 'bad',
  failingOff: 'bad',
  off: 'bad',
  failing: 'warn',
  idle: 'plain',
  active: 'good',
}

type WebhookCardProps = {
  config: WebhookConfig
  open: boolean
  onToggle: () => void
  onSecret: (secret: ShownSecret) => void
}

export function WebhookCard({ config, open, onToggle, onSecret }: WebhookCardProps) {
  const { t } = useTranslation('webhooks')
  const id = useId()
  const words = useEventWords()
  const { name, webhookUrl, webhookEvents, isActive } = config
  const state = stateOf(config)
  const busy = useIsBefore(busyUntil(config))
  return (
    <article className={styles.card} aria-labelledby={`${id}-name`}>
      <div className={styles.head}>
        <h2 id={`${id}-name`} className={styles.name}>
          {name}
        </h2>
        <Chip tone={TONES[state]}>{t(`states.${state}`)}</Chip>
      </div>
      <code className={styles.url}>{webhookUrl}</code>
      <ul className={styles.events} aria-label={t('form.events')}>
        {webhookEvents.map((event) => (
          <li key={event._id} title={event._id}>
            <Chip>{words.name(event._id, event.name)}</Chip>
          </li>
        ))}
      </ul>
      <Facts config={config} />
      {!isActive && <Disabled config={config} />}
      <Actions config={config} onSecret={onSecret}>
        <Button
          size="small"
          tone="outline"
          icon={open ? 'up' : 'down'}
          aria-expanded={open}
          aria-controls={`${id}-history`}
          onClick={onToggle}
        >
          {t('history.title')}
        </Button>
      </Actions>
      <div id={`${id}-history`} className={styles.history}>
        {open && <History config={config} busy={busy} />}
      </div>
    </article>
  )
}

/** Pending deliveries, the last one, and since when deliveries fail. */
function Facts({ config }: { config: WebhookConfig }) {
  const { t, i18n } = useTranslation('webhooks')
  const { waiting, lastAttempt, failingSince, isActive } = config
  const when = (at: string) => formatRelative(at, i18n.language)
  return (
    <p className={styles.facts}>
      {isActive && failingSince !== null && (
        <span className={styles.failing}>{t('failingSince', { when: when(failingSince) })}</span>
      )}
      {lastAttempt && (
        <span>
          {t('lastAttempt', { status: t(`statuses.${lastAttempt.status}`), when: when(lastAttempt.attemptAt) })}
          {lastAttempt.responseStatus !== null && ` (${lastAttempt.responseStatus})`}
        </span>
      )}
      {waiting > 0 && <span>{t('waiting', { count: waiting })}</span>}
    </p>
  )
}

/** Why a webhook is disabled, with a button that enables it. */
function Disabled({ config }: { config: WebhookConfig }) {
  const { t, i18n } = useTranslation('webhooks')
  const showFailure = useFailureToast()
  const enable = useEnableWebhook(config._id)
  const { disabledAt, disabledReason } = config
  return (
    <div className={styles.disabled}>
      <p>
        {t(`disabled.${disabledReason ?? 'unknown'}`)}
        {disabledAt !== null && ` ${t('disabled.at', { when: formatRelative(disabledAt, i18n.language) })}`}
      </p>
      <Button
        size="small"
        icon="reset"
        busy={enable.isPending}
        onClick={() =>
          enable.mutate(undefined, {
            onSuccess: () => toast.success(t('told.enabled', { name: config.name })),
            onError: (error) => showFailure(error, t('told.enableFailed')),
          })
        }
      >
        {t('enable')}
      </Button>
    </div>
  )
}

type ActionsProps = Pick<WebhookCardProps, 'config' | 'onSecret'> & { children: ReactNode }

function Actions({ config, onSecret, children }: ActionsProps) {
  const { t } = useTranslation('webhooks')
  const [layer, setLayer] = useState<'edit' | 'resend' | null>(null)
  const close = () => setLayer(null)
  const { test, rotate, remove } = useWebhookActions(config, onSecret)
  return (
    <div className={styles.actions}>
      {children}
      <Button size="small" tone="ghost" icon="play" busy={test.busy} onClick={test.go}>
        {t('test')}
      </Button>
      <Button size="small" tone="ghost" icon="reply" onClick={() => setLayer('resend')}>
        {t('resendFailed.open')}
      </Button>
      <Button size="small" tone="ghost" icon="edit" onClick={() => setLayer('edit')}>
        {t('edit')}
      </Button>
      <Button size="small" tone="ghost" icon="key" busy={rotate.busy} onClick={() => void rotate.ask()}>
        {t('rotate.open')}
      </Button>
      <Button size="small" tone="ghost" icon="trash" busy={remove.busy} onClick={() => void remove.ask()}>
        {t('delete')}
      </Button>
      <EditDialog config={config} open={layer === 'edit'} onClose={close} />
      <ResendFailedDialog config={config} open={layer === 'resend'} onClose={close} />
    </div>
  )
}

/** The actions of a webhook, some with a confirmation. */
function useWebhookActions(config: WebhookConfig, onSecret: (secret: ShownSecret) => void) {
  const { t } = useTranslation('webhooks')
  const showFailure = useFailureToast()
  const showRefusal = useRefusalToast()
  const text = useRefusalText()
  const confirm = useConfirm()
  const testing = useTestWebhook(config._id)
  const rotating = useRotateSecret(config._id)
  const removing = useDeleteWebhook(config._id)
  const { name } = config
  const go = () =>
    testing.mutate(undefined, {
      onSuccess: () => toast.success(t('told.tested')),
      onError: (error) => showRefusal(error, t('told.testFailed')),
    })
  const rotate = async () => {
    const yes = await confirm({
      title: t('rotate.title', { name }),
      text: t('rotate.text'),
      action: t('rotate.action'),
    })
    if (!yes) return
    rotating.mutate(undefined, {
      onSuccess: ({ secret, oldUntil }) => onSecret({ name, secret, oldUntil }),
      onError: (error) => showFailure(error, t('told.rotateFailed')),
    })
  }
  const remove = async () => {
    const yes = await confirm({
      title: t('remove.title', { name }),
      text: t('remove.text'),
      action: t('delete'),
      danger: true,
    })
    if (!yes) return
    removing.mutate(undefined, {
      onSuccess: () => toast.success(t('told.deleted')),
      onError: (error) => toast.error(t('told.deleteFailed', { message: text(error) }), error),
    })
  }
  return {
    test: { go, busy: testing.isPending },
    rotate: { ask: rotate, busy: rotating.isPending },
    remove: { ask: remove, busy: removing.isPending },
  }
}
