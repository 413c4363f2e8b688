import { useTranslation } from 'react-i18next'
import type { Asset } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { pictureOf } from '@/shared/lib/media'
import { Icon } from '@/shared/ui/icon'
import { Picture } from '@/shared/ui/picture'
import { type Draft, type Step, stepsDone } from '../model'
import styles from './publish-steps.module.css'

const STEPS: Step[] = ['name', 'pictures', 'tags', 'description']

type PublishStepsProps = { draft: Draft; cover: Asset | undefined; isUpload: boolean; author: string | undefined }

export function PublishSteps({ draft, cover, isUpload, author }: PublishStepsProps) {
  const { t } = useTranslation('workflows')
  const done = stepsDone(draft)
  return (
    <div className={styles.steps}>
      <div className={styles.card} aria-hidden="true">
        <Picture className={styles.picture} {...pictureOf(cover)} alt="" ratio={1} />
        <span className={styles.name}>{draft.name.trim() || t('edit.untitled')}</span>
        <span className={styles.author}>{author}</span>
      </div>
      {isUpload && (
        <ol className={styles.list}>
          {STEPS.map((step) => (
            <li key={step} className={classNames(styles.step, done[step] && styles.done)}>
              <span className={styles.mark}>
                {done[step] ? <Icon name="check" size={14} /> : STEPS.indexOf(step) + 1}
              </span>
              <span>
                {t(`step.${step}`)}
                {step === 'description' && <span className={styles.optional}>{` ${t('step.optional')}`}</span>}
              </span>
              <span className="visually-hidden">{t(done[step] ? 'step.isDone' : 'step.isOpen')}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
