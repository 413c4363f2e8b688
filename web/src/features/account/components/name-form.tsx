import { useTranslation } from 'react-i18next'
import { nameProblem, useRename } from '@/features/auth'
import type { User } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
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
  const form = useForm({
    start: { name: user.name },
    check: ({ name }) => {
      const problem = nameProblem(name)
      return { name: problem && auth(`problems.${problem}`) }
    },
    send: ({ name }) =>
      rename.mutate(name.trim(), {
        onSuccess: () => toast.success(t('profile.nameChanged')),
        onError: (error) => toast.error(t('profile.nameFailed', { message: text(error) }), error),
      }),
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
