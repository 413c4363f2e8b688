import { useTranslation } from 'react-i18next'
import { FieldError } from '@/shared/ui/field'
import styles from './sign-form.module.css'

type Agreed = { terms: boolean; privacy: boolean }
type AgreementProps = Agreed & { problem: string | undefined; onChange: (change: Partial<Agreed>) => void }

/** Agreement to the terms of use and to the privacy policy; both are needed. */
export function Agreement({ terms, privacy, problem, onChange }: AgreementProps) {
  const { t } = useTranslation('auth')
  return (
    <div className={styles.checks}>
      <label className={styles.check}>
        <input
          type="checkbox"
          name="terms"
          checked={terms}
          aria-invalid={problem ? true : undefined}
          onChange={(event) => onChange({ terms: event.target.checked })}
        />
        {t('terms')}
      </label>
      <label className={styles.check}>
        <input
          type="checkbox"
          name="privacy"
          checked={privacy}
          aria-invalid={problem ? true : undefined}
          onChange={(event) => onChange({ privacy: event.target.checked })}
        />
        {t('privacy')}
      </label>
      {problem && <FieldError>{problem}</FieldError>}
    </div>
  )
}
