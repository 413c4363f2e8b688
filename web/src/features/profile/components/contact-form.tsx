import { type SyntheticEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { Profile } from '@/shared/api/types'
import { Button } from '@/shared/ui/button'
import { TextField } from '@/shared/ui/field'
import { useToast } from '@/shared/ui/toast'
import { useSaveContactPoints } from '../api'
import { draftOf, moved } from '../model'
import styles from '../pages/profile-page.module.css'

/** The form for one's own contact points: their values, and their order by buttons. */
export function ContactForm({ profile, onDone }: { profile: Profile; onDone: () => void }) {
  const { t } = useTranslation('profile')
  const { t: common } = useTranslation()
  const toast = useToast()
  const save = useSaveContactPoints(profile._id)
  const [draft, setDraft] = useState(() => draftOf(profile.contactPoints))
  const wrong = isApiError(save.error) ? save.error.fields.map((field) => field.field) : []
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    save.mutate(draft, {
      onSuccess: () => {
        toast.brief(t('contacts.saved'))
        onDone()
      },
      onError: (error) => {
        if (!isApiError(error) || error.fields.length === 0) toast.error(t('contacts.failed'), error)
      },
    })
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-label={t('contacts.edit')}>
      {draft.map(({ kind, value }, at) => (
        <div key={kind} className={styles.line}>
          <TextField
            label={t(`contacts.kind.${kind}`)}
            value={value}
            inputMode={kind === 'email' ? 'email' : kind === 'homepage' ? 'url' : 'text'}
            placeholder={t(`contacts.example.${kind}`)}
            error={wrong.includes(kind) ? t(`contacts.wrong.${kind}`) : undefined}
            onChange={(event) => {
              save.reset()
              setDraft(draft.map((line, index) => (index === at ? { kind, value: event.target.value } : line)))
            }}
          />
          <span className={styles.order}>
            <Button
              tone="ghost"
              icon="up"
              disabled={at === 0}
              aria-label={t('contacts.up', { kind: t(`contacts.kind.${kind}`) })}
              onClick={() => setDraft(moved(draft, at, -1))}
            />
            <Button
              tone="ghost"
              icon="down"
              disabled={at === draft.length - 1}
              aria-label={t('contacts.down', { kind: t(`contacts.kind.${kind}`) })}
              onClick={() => setDraft(moved(draft, at, 1))}
            />
          </span>
        </div>
      ))}
      <div className={styles.formActions}>
        <Button tone="ghost" onClick={onDone}>
          {common('cancel')}
        </Button>
        <Button type="submit" tone="primary" busy={save.isPending}>
          {common('save')}
        </Button>
      </div>
    </form>
  )
}
