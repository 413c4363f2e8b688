import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { FieldError } from '@/shared/ui/field'
import styles from './sign-form.module.css'

type Agreed = { terms: boolean; privacy: boolean }
type AgreementProps = Agreed & { problem: string | undefined; onChange: (change: Partial<Agreed>) => void }

/** Consent to the terms of use and the privacy policy; both are required. */
export function Agreement({ terms, privacy, problem, onChange }: AgreementProps) {
  const { t } = useTranslation('auth')
  return (
    <div className={styles.checks}>
      <div className={styles.agreement}>
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
        <Read to={paths.terms()} label={t('readTerms')} />
      </div>
      <div className={styles.agreement}>
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
        <Read to={paths.privacy()} label={t('readPrivacy')} />
      </div>
      {problem && <FieldError>{problem}</FieldError>}
    </div>
  )
}

/** Opens a text in a new tab, so that typed values are kept. */
function Read({ to, label }: { to: string; label: string }) {
  const { t } = useTranslation('auth')
  return (
    <Link className={styles.read} to={to} target="_blank" rel="noopener" aria-label={label}>
      {t('read')}
    </Link>
  )
}
