import { useTranslation } from 'react-i18next'
import { nameProblem, useRename } from '@/features/auth'
import type { User } from '@/shared/api/types'
import { useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { TextField } from '@/shared/ui/field'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import styles from '../pages/account-page.module.css'

export function NameForm({ user }: { user: User }) {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const { t: auth } = useTranslation('auth')
  const toasts = useResultToasts()
  const rename = useRename()
  const form = useForm({
    start: { name: user.name },
    check: ({ name }) => {
      const problem = nameProblem(name)
      return { name: problem && auth(`problems.${problem}`) }
    },
    send: ({ name }) =>
      rename.mutate(
        name.trim(),
        toasts(t('profile.nameChanged'), (message) => t('profile.nameFailed', { message })),
      ),
  })
  return (
    <form {...form.form} className={styles.inline}>
      <TextField
        label={t('profile.name')}
        help={t('profile.nameHint')}
        autoComplete="nickname"
        {...form.field('name')}
      />
      <Button type="submit" busy={rename.isPending} disabled={form.values.name.trim() === user.name}>
        {common('save')}
      </Button>
    </form>
  )
}
