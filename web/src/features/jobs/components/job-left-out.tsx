import { useTranslation } from 'react-i18next'
import type { NodeErrors } from '@/shared/api/types'
import styles from './job-display.module.css'

/** Outputs that a run leaves out because they cannot be made, and why, node by node. Nothing where there are none. */
export function JobLeftOut({ errors }: { errors: NodeErrors | null | undefined }) {
  const { t } = useTranslation('jobs')
  const nodes = Object.entries(errors ?? {})
  if (nodes.length === 0) return null
  const outputs = new Set(nodes.flatMap(([, node]) => node.dependent_outputs ?? []))
  return (
    <div className={styles.leftOut} role="note">
      <p>{t('leftOut.title', { count: outputs.size })}</p>
      <ul>
        {nodes.map(([id, node]) => (
          <li key={id}>
            {t('leftOut.node', { name: node.class_type, id })}
            {(node.errors ?? []).map((error) => (
              <span key={`${error.type} ${error.details}`} className={styles.leftOutError}>
                {[error.message, error.details].filter(Boolean).join(': ')}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </div>
  )
}
