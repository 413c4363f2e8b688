import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '@/shared/ui/icon'
import { objectInfoQuery } from '../api'
import { missingOf } from '../missing'
import type { SentGraph } from '../model'
import styles from './dialogs.module.css'

/** Says of a chosen file what no connected worker has. It can be uploaded all the same: a worker may have it later. */
export function MissingNotice({ graph }: { graph: SentGraph }) {
  const { t } = useTranslation('workflows')
  const { data } = useQuery(objectInfoQuery())
  const missing = useMemo(() => data && missingOf(graph, data), [graph, data])
  if (!missing || missing.nodes.length + missing.models.length === 0) return null
  return (
    <div className={styles.missing} role="status">
      <Icon name="warning" size={18} />
      <div>
        {missing.nodes.length > 0 && (
          <p>
            {t('graph.missing', { count: missing.nodes.length })} <strong>{missing.nodes.join(', ')}</strong>
          </p>
        )}
        {missing.models.length > 0 && (
          <p>
            {t('graph.missingModels', { count: missing.models.length })} <strong>{missing.models.join(', ')}</strong>
          </p>
        )}
        <p>{t('import.missing')}</p>
      </div>
    </div>
  )
}
