import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { FieldError } from '@/shared/ui/field'
import styles from './shop.module.css'

type TermsCheckProps = { isAgreed: boolean; problem: string | undefined; onChange: (isAgreed: boolean) => void }

/** The consent to the terms, which every payment needs. */
export function TermsCheck({ isAgreed, problem, onChange }: TermsCheckProps) {
  const { t } = useTranslation('orders')
  const id = useId()
  return (
    <div>
      <div className={styles.terms}>
        <label className={styles.check}>
          <input
            type="checkbox"
            required
            checked={isAgreed}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? id : undefined}
            onChange={({ target }) => onChange(target.checked)}
          />
          {t('buy.agree')}
        </label>
        {/* In a new tab: the dialog stays open. */}
        <Link to={paths.terms()} target="_blank" rel="noopener" aria-label={t('buy.readTerms')}>
          {t('buy.read')}
        </Link>
      </div>
      {problem && <FieldError id={id}>{problem}</FieldError>}
    </div>
  )
}
