import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import { useEditor } from '../editor-context'
import { isEmpty, keysInOrder } from '../model'
import styles from './proposal.module.css'

/** Offers a default setup for an empty one: the app that the workflow brings, if it brings one. */
export function Proposal() {
  const { t } = useTranslation('workflowApi')
  const { editor, setup, change } = useEditor()
  const { proposal, dropped, saved } = editor
  if (!isEmpty(setup) || isEmpty(proposal)) return saved ? null : <Dropped names={dropped ?? []} />
  const { inputs, outputs } = proposal
  const names = [
    ...keysInOrder(inputs).map((key) => inputs[key]?.adapter.name ?? inputs[key]?.name),
    ...keysInOrder(outputs).map((key) => outputs[key]?.name),
  ]
  const title = t(dropped ? 'proposal.app' : 'proposal.title')
  return (
    <>
      <section className={styles.card} aria-label={title}>
        <Icon name="wand" size={22} />
        <div>
          <h2 className={styles.title}>{title}</h2>
          <p className={styles.text}>{names.join(', ')}</p>
        </div>
        <Button tone="outline" onClick={() => change(() => proposal)}>
          {t('proposal.accept')}
        </Button>
      </section>
      <Dropped names={dropped ?? []} />
    </>
  )
}

/** Names what the workflow's app has and a mini app cannot have. */
function Dropped({ names }: { names: string[] }) {
  const { t } = useTranslation('workflowApi')
  if (names.length === 0) return null
  return (
    <p className={styles.dropped} role="status">
      <Icon name="warning" size={18} />
      {t('proposal.dropped', { count: names.length, names: names.join(', ') })}
    </p>
  )
}
