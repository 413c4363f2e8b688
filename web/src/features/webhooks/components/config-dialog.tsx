import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useForm } from '@/shared/lib/use-form'
import { Dialog } from '@/shared/ui/dialog'
import { FieldError, fieldClasses, TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { Icon } from '@/shared/ui/icon'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { eventsQuery, useAddWebhook, useChangeWebhook } from '../api'
import { type DraftProblems, draftProblems, MAX_NAME, MAX_URL, refusedOf, urlHint } from '../model'
import type { WebhookConfig, WebhookDraft } from '../types'
import { useEventWords, useRefusalText } from '../use-words'
import styles from './config-dialog.module.css'
import type { ShownSecret } from './secret-dialog'

type DialogProps = { open: boolean; onClose: () => void }
const WIDTH = 600

export function AddDialog({
  api,
  open,
  onClose,
  onSecret,
}: DialogProps & { api: string | null; onSecret: (secret: ShownSecret) => void }) {
  const { t } = useTranslation('webhooks')
  return (
    <Dialog open={open} onClose={onClose} title={t('add')} width={WIDTH}>
      <AddForm api={api} onClose={onClose} onSecret={onSecret} />
    </Dialog>
  )
}

type AddFormProps = { api: string | null; onClose: () => void; onSecret: (secret: ShownSecret) => void }

function AddForm({ api, onClose, onSecret }: AddFormProps) {
  const { t } = useTranslation('webhooks')
  const text = useRefusalText()
  const add = useAddWebhook(api)
  const send = (draft: WebhookDraft) =>
    add.mutate(draft, {
      onSuccess: ({ name, secret }) => {
        toast.success(t('told.added'))
        onClose()
        onSecret({ name, secret, oldUntil: null })
      },
      onError: (error) => toast.error(t('told.addFailed', { message: text(error) }), error),
    })
  const start = { name: '', webhookUrl: '', webhookEventIds: [] }
  const action = t('add')
  return <ConfigForm busy={add.isPending} error={add.error} {...{ start, action, onClose, send }} />
}

export function EditDialog({ config, open, onClose }: DialogProps & { config: WebhookConfig }) {
  const { t } = useTranslation('webhooks')
  return (
    <Dialog open={open} onClose={onClose} title={t('editTitle', { name: config.name })} width={WIDTH}>
      <EditForm config={config} onClose={onClose} />
    </Dialog>
  )
}

function EditForm({ config, onClose }: { config: WebhookConfig; onClose: () => void }) {
  const { t } = useTranslation('webhooks')
  const text = useRefusalText()
  const change = useChangeWebhook(config._id)
  const send = (draft: WebhookDraft) =>
    change.mutate(draft, {
      onSuccess: () => {
        toast.success(t('told.changed'))
        onClose()
      },
      onError: (error) => toast.error(t('told.changeFailed', { message: text(error) }), error),
    })
  const { name, webhookUrl, webhookEvents } = config
  const start = { name, webhookUrl, webhookEventIds: webhookEvents.map(({ _id }) => _id) }
  const action = t('save')
  return <ConfigForm busy={change.isPending} error={change.error} {...{ start, action, onClose, send }} />
}

type ConfigFormProps = {
  start: WebhookDraft
  busy: boolean
  error: unknown
  action: string
  send: (draft: WebhookDraft) => void
  onClose: () => void
}

function ConfigForm({ start, busy, error, action, send, onClose }: ConfigFormProps) {
  const { t } = useTranslation('webhooks')
  const text = useRefusalText()
  const textsOf = (problems: DraftProblems) => ({
    name: problems.name && t(`form.${problems.name}`),
    webhookUrl: problems.webhookUrl && t(`form.${problems.webhookUrl}`),
    webhookEventIds: problems.webhookEventIds && t(`form.${problems.webhookEventIds}`),
  })
  const form = useForm<WebhookDraft>({
    start,
    check: (draft) => textsOf(draftProblems(draft)),
    error,
    refused: (refusal) => textsOf(refusedOf(refusal)),
    send: (draft) => send({ ...draft, name: draft.name.trim(), webhookUrl: draft.webhookUrl.trim() }),
  })
  const hint = urlHint(form.values.webhookUrl)
  return (
    <form {...form.form} className={styles.form}>
      <TextField label={t('form.name')} maxLength={MAX_NAME} autoComplete="off" {...form.field('name')} />
      <TextField
        label={t('form.url')}
        help={t('form.urlHelp')}
        placeholder="https://"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_URL}
        {...form.field('webhookUrl')}
      />
      {hint && (
        <p className={styles.hint} role="status">
          <Icon name="warning" size={16} />
          {t(`form.hints.${hint}`)}
        </p>
      )}
      <EventPicks
        chosen={form.values.webhookEventIds}
        problem={form.problems.webhookEventIds}
        onChange={(webhookEventIds) => form.set({ webhookEventIds })}
      />
      {form.refusal !== null && <FieldError>{text(form.refusal)}</FieldError>}
      <FormActions onCancel={onClose} busy={busy}>
        {action}
      </FormActions>
    </form>
  )
}

type EventPicksProps = {
  chosen: string[]
  problem: string | undefined
  onChange: (chosen: string[]) => void
}

function EventPicks({ chosen, problem, onChange }: EventPicksProps) {
  const { t } = useTranslation('webhooks')
  const id = useId()
  const words = useEventWords()
  const events = useQuery(eventsQuery())
  return (
    <fieldset
      className={styles.events}
      data-invalid={problem ? true : undefined}
      aria-describedby={problem ? `${id}-problem` : undefined}
    >
      <legend className={fieldClasses.label}>{t('form.events')}</legend>
      {events.isPending && <Skeleton style={{ height: 200, borderRadius: 8 }} />}
      {events.isError && !events.data && <ErrorState error={events.error} onRetry={() => void events.refetch()} />}
      {events.data?.map((event) => (
        <label key={event._id} className={styles.event}>
          <input
            type="checkbox"
            checked={chosen.includes(event._id)}
            aria-describedby={`${id}-${event._id}`}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, event._id] : chosen.filter((one) => one !== event._id))
            }
          />
          <span className={styles.eventName}>
            {words.name(event._id, event.name)}
            <code>{event._id}</code>
          </span>
          <span id={`${id}-${event._id}`} className={styles.eventText} aria-hidden="true">
            {words.text(event)}
          </span>
        </label>
      ))}
      {problem && <FieldError id={`${id}-problem`}>{problem}</FieldError>}
    </fieldset>
  )
}
