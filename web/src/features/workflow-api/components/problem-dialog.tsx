import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { Icon } from '@/shared/ui/icon'
import { useEditor } from '../editor-context'
import { entryOf, type SaveBlock } from '../model'
import type { HealthProblem, Setup } from '../types'
import { useProblemWords } from '../use-problem-words'
import styles from './problem-dialog.module.css'

type ProblemDialogProps = { block: SaveBlock | null; problems: readonly HealthProblem[]; onClose: () => void }

/** Why the setup cannot be saved, with all problems. */
export function ProblemDialog({ block, problems, onClose }: ProblemDialogProps) {
  const { t } = useTranslation('workflowApi')
  const { setup } = useEditor()
  const words = useProblemWords()
  return (
    <Dialog open={block !== null} onClose={onClose} title={t('warning.title')} width={520}>
      {block && <p>{t(`warning.${block}`)}</p>}
      {block === 'unhealthy' && (
        <ul className={styles.list}>
          {problems.map((problem) => (
            <li key={`${problem.place} ${problem.code}`} className={styles.item}>
              <Icon name="warning" size={16} />
              <span>
                <b>{nameOf(setup, problem)}</b>
                {words(problem)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.actions}>
        <Button tone="primary" onClick={onClose}>
          {t('warning.close')}
        </Button>
      </div>
    </Dialog>
  )
}

/** The name of the entry that a problem is about. */
function nameOf(setup: Setup, problem: HealthProblem): string {
  const place = entryOf(problem)
  if (!place) return problem.place
  if (place.part === 'outputs') return setup.outputs[place.key]?.name || `#${place.key}`
  const entry = setup.inputs[place.key]
  return entry?.adapter.name || entry?.name || place.key
}
