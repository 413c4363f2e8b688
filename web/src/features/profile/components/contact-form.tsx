import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { Profile } from '@/shared/api/types'
import { useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { toast } from '@/shared/ui/toast'
import { useSaveContactPoints } from '../api'
import { draftOf, moved } from '../model'
import styles from '../pages/profile-page.module.css'

/** Edits contact points and their order. */
export default function ContactForm({ profile, onDone }: { profile: Profile; onDone: () => void }) {
  const { t } = useTranslation('profile')
  const { t: common } = useTranslation()
  const save = useSaveContactPoints(profile._id)
  const start = { lines: draftOf(profile.contactPoints) }
  const form = useForm({
    start,
    error: save.error,
    refused: (error) => {
      const wrong = isApiError(error) ? error.fields.map(({ field }) => field) : []
      return Object.fromEntries(
        start.lines.filter(({ kind }) => wrong.includes(kind)).map(({ kind }) => [kind, t(`contacts.wrong.${kind}`)]),
      )
    },
    send: ({ lines }) =>
      save.mutate(lines, {
        onSuccess: () => {
          toast.brief(t('contacts.saved'))
          onDone()
        },
        onError: (error) => {
          if (!isApiError(error) || error.fields.length === 0) toast.error(t('contacts.failed'), error)
        },
      }),
  })
  const { lines } = form.values
  return (
    <form {...form.form} className={styles.form} aria-label={t('contacts.edit')}>
      {lines.map(({ kind, value }, at) => (
        <div key={kind} className={styles.line}>
          <TextField
            label={t(`contacts.kind.${kind}`)}
            value={value}
            inputMode={kind === 'email' ? 'email' : kind === 'homepage' ? 'url' : 'text'}
            placeholder={t(`contacts.example.${kind}`)}
            error={form.problems[kind]}
            onChange={(event) =>
              form.set({
                lines: lines.map((line, index) => (index === at ? { kind, value: event.target.value } : line)),
              })
            }
          />
          <span className={styles.order}>
            <Button
              tone="ghost"
              icon="up"
              disabled={at === 0}
              aria-label={t('contacts.up', { kind: t(`contacts.kind.${kind}`) })}
              onClick={() => form.set({ lines: moved(lines, at, -1) })}
            />
            <Button
              tone="ghost"
              icon="down"
              disabled={at === lines.length - 1}
              aria-label={t('contacts.down', { kind: t(`contacts.kind.${kind}`) })}
              onClick={() => form.set({ lines: moved(lines, at, 1) })}
            />
          </span>
        </div>
      ))}
      <FormActions onCancel={onDone} busy={save.isPending}>
        {common('save')}
      </FormActions>
    </form>
  )
}
