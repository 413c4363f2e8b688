import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { TextField } from '@/shared/ui/field'
import { useFinishSignUp } from '../api'
import { codeProblem, codeRefusal, type PendingSignUp } from '../model'
import { FormProblem } from './form-problem'
import styles from './sign-form.module.css'

type CodeStepProps = {
  pending: PendingSignUp
  onDone: () => void
  onAgain?: (() => Promise<unknown>) | undefined
  onBack: () => void
}

/** The second step of signing up: entering the mailed code. */
export function CodeStep({ pending, onDone, onAgain, onBack }: CodeStepProps) {
  const { t } = useTranslation('auth')
  const finish = useFinishSignUp()
  const [again, setAgain] = useState<'sending' | 'sent' | null>(null)
  const inWords = (problem: ReturnType<typeof codeProblem>) => (problem ? { code: t(`problems.${problem}`) } : {})
  const form = useForm({
    start: { code: '' },
    check: ({ code }) => inWords(codeProblem(code)),
    error: finish.error,
    refused: (error) => inWords(codeRefusal(error)),
    send: ({ code }) => finish.mutate({ signUp: pending.signUp, code }, { onSuccess: onDone }),
  })
  const sendAgain = () => {
    setAgain('sending')
    onAgain?.().then(
      () => setAgain('sent'),
      () => setAgain(null),
    )
  }
  return (
    <form {...form.form} className={styles.form}>
      <p className={styles.lead}>{t('code.lead', { email: pending.email })}</p>
      <FormProblem error={form.refusal} />
      <TextField
        label={t('code.label')}
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={16}
        autoFocus
        help={t('code.help')}
        {...form.field('code')}
      />
      <Button type="submit" tone="primary" size="large" wide busy={finish.isPending}>
        {t('code.confirm')}
      </Button>
      <p className={styles.switch}>
        {onAgain && (
          <button type="button" disabled={again !== null} onClick={sendAgain}>
            {t(again === 'sent' ? 'code.sent' : 'code.again')}
          </button>
        )}
        <button type="button" onClick={onBack}>
          {t('code.back')}
        </button>
      </p>
    </form>
  )
}
