import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { MissingRequirement } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { Dialog } from '@/shared/ui/dialog'
import { toast } from '@/shared/ui/toast'
import { useRequestRequirement } from '../api'
import styles from './dialogs.module.css'

type MissingDialogProps = {
  missing: MissingRequirement[]
  /** Shows a node in the graph. */
  onNode: (id: string) => void
  onClose: () => void
}

/** The nodes and models that the user's workers do not have: who has them, and a way to ask for them. */
export default function MissingDialog({ missing, onNode, onClose }: MissingDialogProps) {
  const { t } = useTranslation('nodeEditor')
  const show = (id: string) => {
    onClose()
    onNode(id)
  }
  return (
    <Dialog open onClose={onClose} title={t('requirements.title')} width={720}>
      <div className={styles.form}>
        <p>{t('requirements.text')}</p>
        <ul className={styles.versions}>
          {missing.map((one) => (
            <Line key={`${one.kind} ${one.folder} ${one.name}`} missing={one} onNode={show} />
          ))}
        </ul>
        <div className={styles.actions}>
          <Button tone="ghost" onClick={onClose}>
            {t('requirements.close')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function Line({ missing, onNode }: { missing: MissingRequirement; onNode: (id: string) => void }) {
  const { t } = useTranslation('nodeEditor')
  const request = useRequestRequirement()
  const { kind, folder, name, nodes, pools, isRequested } = missing
  const [first] = nodes
  const facts = [folder && t('requirements.folder', { folder }), t('requirements.nodes', { count: nodes.length })]
  const ask = () =>
    request.mutate(missing, {
      onSuccess: () => toast.success(t('requirements.asked', { name })),
      onError: (error) => toast.error(t('requirements.failed', { name }), error),
    })
  return (
    <li className={styles.version}>
      <span className={styles.missing}>
        <span>
          <strong>{name}</strong> <Chip>{t(`requirements.kinds.${kind}`)}</Chip>
        </span>
        <span className={styles.fact}>{facts.filter(Boolean).join(' · ')}</span>
        {pools.map(({ name, title, gpu, plans }) => (
          <span key={name} className={styles.fact}>
            {plans.length > 0
              ? t('requirements.pool', { pool: `${title} (${gpu})`, plans: plans.join(', ') })
              : t('requirements.poolWithoutPlan', { pool: `${title} (${gpu})` })}
          </span>
        ))}
        {pools.some(({ plans }) => plans.length > 0) && <Link to={paths.pricing()}>{t('requirements.plans')}</Link>}
        {pools.length === 0 && <span className={styles.fact}>{t('requirements.nowhere')}</span>}
      </span>
      <span className={styles.actions}>
        {first !== undefined && (
          <Button size="small" tone="ghost" onClick={() => onNode(first)}>
            {t('requirements.showNode')}
          </Button>
        )}
        {isRequested ? (
          <Chip tone="good">{t('requirements.requested')}</Chip>
        ) : (
          <Button size="small" tone="outline" busy={request.isPending} onClick={ask}>
            {t('requirements.ask')}
          </Button>
        )}
      </span>
    </li>
  )
}
