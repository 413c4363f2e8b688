import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import { classNames } from '@/shared/lib/class-names'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from './button'
import { Icon, type IconName } from './icon'
import styles from './states.module.css'

type StateProps = { icon: IconName; title: string; text?: string; action?: ReactNode; tone?: 'error' }

/** An empty state: what would be here, and how to get it. */
export function EmptyState({ icon, title, text, action, tone }: StateProps) {
  return (
    <div
      className={classNames(styles.state, tone === 'error' && styles.error)}
      role={tone === 'error' ? 'alert' : undefined}
    >
      <span className={styles.glyph}>
        <Icon name={icon} size={26} />
      </span>
      <p className={styles.title}>{title}</p>
      {text && <p className={styles.text}>{text}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}

/** The text of an error, with a retry. Errors that are not from the server show "Error...". */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation()
  const text = useProblemText()
  return (
    <EmptyState
      icon="warning"
      tone="error"
      title={t(isApiError(error) ? 'errors.generic' : 'errors.title')}
      text={text(error)}
      action={onRetry && <Button onClick={onRetry}>{t('retry')}</Button>}
    />
  )
}

/** A grey placeholder for loading content. */
export function Skeleton({ style, className }: { style?: CSSProperties; className?: string }) {
  return <span className={classNames(styles.skeleton, className)} style={style} aria-hidden="true" />
}
