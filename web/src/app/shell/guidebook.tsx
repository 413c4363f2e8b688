import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutputDays } from '@/features/legal'
import { API_DOCS, paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import type { GuideChapter } from '@/shared/ui/modals'
import { Tabs } from '@/shared/ui/tabs'
import styles from './modal-host.module.css'

const CHAPTERS: GuideChapter[] = ['run', 'build', 'publish']
const STEPS = ['one', 'two', 'three', 'four'] as const
const GO: Record<GuideChapter, string> = {
  run: paths.apps(),
  build: paths.account('keys'),
  publish: paths.pictures(),
}
/** The command line client of this project, pointed at this server. */
const command = () => `verdigraph run workflow.json --server ${window.location.origin} --api-key vg_…`

export default function Guidebook({ first, onGo }: { first: GuideChapter; onGo: () => void }) {
  const { t } = useTranslation('guidebook')
  const [chapter, setChapter] = useState(first)
  const days = useOutputDays()
  return (
    <>
      <Tabs
        label={t('title')}
        tabs={CHAPTERS.map((key) => ({ key, title: t(`chapters.${key}`) }))}
        active={chapter}
        onChange={setChapter}
      >
        <div className={styles.chapter}>
          <p>{t(`lead.${chapter}`)}</p>
          <ol className={styles.steps}>
            {STEPS.map((step) => (
              <li key={step} className={styles.step}>
                <div>
                  <h3>{t(`${chapter}.${step}.title`)}</h3>
                  <p>{t(`${chapter}.${step}.text`, { days })}</p>
                  {chapter === 'build' && step === 'four' && <a href={API_DOCS}>{t('docs')}</a>}
                  {chapter === 'build' && step === 'three' && <pre className={styles.code}>{command()}</pre>}
                </div>
              </li>
            ))}
          </ol>
        </div>
      </Tabs>
      <div className={styles.actions}>
        <ButtonLink tone="primary" to={GO[chapter]} onClick={onGo}>
          {t(`go.${chapter}`)}
        </ButtonLink>
      </div>
    </>
  )
}
