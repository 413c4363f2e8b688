import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { picturesQuery } from '@/features/gallery'
import { jobsQuery } from '@/features/jobs'
import type { User } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { paths } from '@/shared/lib/paths'
import { Button } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import styles from './first-steps.module.css'
import { dismissFirstSteps } from './first-steps-state'

/** The first steps for a new user. What is done is derived from the user's data, not stored. */
export default function FirstSteps({ user }: { user: User }) {
  const { t } = useTranslation('home')
  const [gone, setGone] = useState(false)
  const signedIn = true
  const jobs = useInfiniteQuery(jobsQuery('all')).data
  const published = useInfiniteQuery(
    picturesQuery({ of: 'published', user: user._id, sort: 'newest', nsfw: 'View' }, signedIn),
  ).data
  const liked = useInfiniteQuery(picturesQuery({ of: 'liked', user: user._id }, signedIn)).data
  if (gone || !jobs || !published || !liked) return null
  const done = jobs.some((job) => job.status === 'Done')
  const steps = [
    { key: 'run', to: paths.apps(), done: jobs.length > 0 },
    { key: 'look', to: paths.pictures(), done },
    { key: 'like', to: paths.gallery(), done: liked.length > 0 },
    { key: 'publish', to: paths.pictures(), done: published.length > 0 },
  ] as const
  const count = steps.filter((step) => step.done).length
  if (count === steps.length) return null
  const next = steps.find((step) => !step.done)
  const dismiss = () => {
    dismissFirstSteps(user)
    setGone(true)
  }
  return (
    <section className={styles.guide} aria-label={t('steps.title')}>
      <div className={styles.head}>
        <h2>{t('steps.title')}</h2>
        <span className={styles.count}>{t('steps.count', { done: count, total: steps.length })}</span>
        <Button tone="ghost" size="small" icon="close" aria-label={t('steps.dismiss')} onClick={dismiss} />
      </div>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step.key} className={classNames(step.done && styles.done, step === next && styles.next)}>
            <Link to={step.to}>
              <span className={styles.mark}>{step.done && <Icon name="check" size={16} />}</span>
              <span>
                <span className={styles.name}>
                  {t(`steps.${step.key}.title`)}
                  {step.done && <span className="visually-hidden"> {t('steps.done')}</span>}
                </span>
                <span className={styles.text}>{t(`steps.${step.key}.text`)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  )
}
