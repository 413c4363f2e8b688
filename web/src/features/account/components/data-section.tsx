import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordField } from '@/features/auth'
import { isApiError } from '@/shared/api/errors'
import type { User } from '@/shared/api/types'
import { save } from '@/shared/lib/download'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { toast } from '@/shared/ui/toast'
import { useDeleteAccount, useExport } from '../api'
import styles from './account-tab.module.css'
import { Section } from './section'

export function DataSection({ user }: { user: User }) {
  const { t } = useTranslation('account')
  const text = useProblemText()
  const exported = useExport()
  const [leaving, setLeaving] = useState(false)
  const download = () =>
    exported.mutate(undefined, {
      onSuccess: (blob) => save(blob, `verdigraph-${new Date().toISOString().slice(0, 10)}.json`),
      onError: (error) => toast.error(t('data.exportFailed', { message: text(error) }), error),
    })
  return (
    <Section title={t('data.title')} lead={t('data.exportText')}>
      <div className={styles.buttons}>
        <Button icon="download" busy={exported.isPending} onClick={download}>
          {t('data.export')}
        </Button>
      </div>
      <div className={styles.danger}>
        <h3>{t('data.deleteTitle')}</h3>
        <p>{t('data.deleteText')}</p>
        <div className={styles.buttons}>
          <Button tone="danger" onClick={() => setLeaving(true)}>
            {t('data.delete')}
          </Button>
        </div>
      </div>
      <Dialog
        open={leaving}
        onClose={() => setLeaving(false)}
        title={t('data.confirmTitle', { name: user.name })}
        width={480}
      >
        <DeleteAccountForm user={user} onCancel={() => setLeaving(false)} />
      </Dialog>
    </Section>
  )
}

/** Asks for the password before the account is deleted, or for the user's name if there is no password. */
function DeleteAccountForm({ user, onCancel }: { user: User; onCancel: () => void }) {
  const { t } = useTranslation('account')
  const text = useProblemText()
  const leave = useDeleteAccount()
  const form = useForm({
    start: { answer: '' },
    error: leave.error,
    refused: (error) => ({
      answer:
        isApiError(error, 400) && error.fields.length > 0
          ? t(user.hasPassword ? 'password.wrong' : 'data.wrongName')
          : t('data.deleteFailed', { message: text(error) }),
    }),
    send: ({ answer }) => leave.mutate(user.hasPassword ? { password: answer } : { name: answer }),
  })
  return (
    <form {...form.form} className={styles.deleteForm}>
      <p className={styles.muted}>{t('data.deleteText')}</p>
      {user.hasPassword ? (
        <PasswordField
          label={t('data.confirmPassword')}
          name="password"
          autoComplete="current-password"
          {...form.field('answer')}
        />
      ) : (
        <TextField label={t('data.confirmName', { name: user.name })} autoComplete="off" {...form.field('answer')} />
      )}
      <FormActions
        onCancel={onCancel}
        tone="danger"
        busy={leave.isPending || leave.isSuccess}
        disabled={!form.values.answer.trim()}
      >
        {t('data.delete')}
      </FormActions>
    </form>
  )
}
