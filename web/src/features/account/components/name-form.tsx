import { type SyntheticEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nameProblem, useRename } from '@/features/auth'
import type { User } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { TextField } from '@/shared/ui/field'
import { useToast } from '@/shared/ui/toast'
import styles from '../pages/account-page.module.css'

/** What the person is called, for them to change. */
export function NameForm({ user }: { user: User }) {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const { t: auth } = useTranslation('auth')
  const toast = useToast()
  const text = useProblemText()
  const rename = useRename()
  const [name, setName] = useState(user.name)
  const [problem, setProblem] = useState<ReturnType<typeof nameProblem>>()
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = nameProblem(name)
    setProblem(found)
    if (found) return
    rename.mutate(name.trim(), {
      onSuccess: () => toast.success(t('profile.nameChanged')),
      onError: (error) => toast.error(t('profile.nameFailed', { message: text(error) }), error),
    })
  }
  return (
    <form className={styles.inline} onSubmit={submit} noValidate>
      <TextField
        label={t('profile.name')}
        help={t('profile.nameHint')}
        autoComplete="nickname"
        value={name}
        error={problem && auth(`problems.${problem}`)}
        onChange={(event) => {
          setName(event.target.value)
          setProblem(undefined)
        }}
      />
      <Button type="submit" busy={rename.isPending} disabled={name.trim() === user.name}>
        {common('save')}
      </Button>
    </form>
  )
}
