import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '@/shared/api/types'
import { save } from '@/shared/lib/download'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { useToast } from '@/shared/ui/toast'
import { useExport } from '../api'
import styles from './account-tab.module.css'
import { Farewell } from './farewell'
import { Section } from './section'

/** What is kept about the person, as a file; and the way out. */
export function DataSection({ user }: { user: User }) {
  const { t } = useTranslation('account')
  const toast = useToast()
  const text = useProblemText()
  const exported = useExport()
  const [leaving, setLeaving] = useState(false)
  const download = () =>
    exported.mutate(undefined, {
      onSuccess: (blob) => save(blob, `verdigraph-${new Date().toISOString().slice(0, 10)}.json`),
      onError: (error) => toast.error(t('data.exportFailed', { message: text(error) }), error),
    })
  return (
    <Section title={t('data.title')} lead={t('data.exportText')}>
      <div className={styles.buttons}>
        <Button icon="download" busy={exported.isPending} onClick={download}>
          {t('data.export')}
        </Button>
      </div>
      <div className={styles.danger}>
        <h3>{t('data.deleteTitle')}</h3>
        <p>{t('data.deleteText')}</p>
        <div className={styles.buttons}>
          <Button tone="danger" onClick={() => setLeaving(true)}>
            {t('data.delete')}
          </Button>
        </div>
      </div>
      <Dialog
        open={leaving}
        onClose={() => setLeaving(false)}
        title={t('data.confirmTitle', { name: user.name })}
        width={480}
      >
        <Farewell user={user} onCancel={() => setLeaving(false)} />
      </Dialog>
    </Section>
  )
}
