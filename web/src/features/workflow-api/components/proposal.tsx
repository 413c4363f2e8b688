import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import { useEditor } from '../editor-context'
import { isEmpty, keysInOrder } from '../model'
import styles from './proposal.module.css'

/** Offers a default setup for an empty one. */
export function Proposal() {
  const { t } = useTranslation('workflowApi')
  const { editor, setup, change } = useEditor()
  const { inputs, outputs } = editor.proposal
  if (!isEmpty(setup) || isEmpty(editor.proposal)) return null
  const names = [
    ...keysInOrder(inputs).map((key) => inputs[key]?.adapter.name ?? inputs[key]?.name),
    ...keysInOrder(outputs).map((key) => outputs[key]?.name),
  ]
  return (
    <section className={styles.card} aria-label={t('proposal.title')}>
      <Icon name="wand" size={22} />
      <div>
        <h2 className={styles.title}>{t('proposal.title')}</h2>
        <p className={styles.text}>{names.join(', ')}</p>
      </div>
      <Button tone="outline" onClick={() => change(() => editor.proposal)}>
        {t('proposal.accept')}
      </Button>
    </section>
  )
}
