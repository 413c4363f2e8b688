import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoginDialog, useUser } from '@/features/auth'
import { isActive, JobDisplay } from '@/features/jobs'
import type { WorkflowApi } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { Button } from '@/shared/ui/button'
import type { ReadForm } from '@/shared/ui/schema-form/read-form'
import { SchemaForm } from '@/shared/ui/schema-form/schema-form'
import { useToast } from '@/shared/ui/toast'
import styles from '../pages/mini-app-page.module.css'
import { useAppForm } from '../use-app-form'
import { useAppRun } from '../use-app-run'
import { useWish } from '../use-wish'
import { AudioWidget, ImageWidget, VideoWidget } from './image-widget'
import { ModelWidget } from './model-widget'
import { NoCredit } from './no-credit'
import { UsedSeeds } from './used-seeds'
import type { WidgetContext } from './widget-context'

const FORM = 'mini-app-form'
const widgets = { image: ImageWidget, video: VideoWidget, audio: AudioWidget, model: ModelWidget }

/** The form on one side, the job on the other. */
export function AppRunner({ app, form }: { app: WorkflowApi; form: ReadForm }) {
  const { t } = useTranslation('miniApps')
  const { t: jobs } = useTranslation('jobs')
  const toast = useToast()
  const user = useUser()
  const openLogin = useLoginDialog()
  const draft = useAppForm(app._id, form, useWish(form))
  const run = useAppRun(app._id)
  const active = run.job !== null && !run.job.problem && (!run.job.status || isActive(run.job.status.status))
  const busy = active || run.sending

  const context = useMemo<WidgetContext>(
    () => ({
      images: draft.images,
      rememberImage: draft.rememberImage,
      mayUpload: () => {
        if (user) return true
        openLogin()
        return false
      },
      imageFields: form.fields.filter((field) => field.widget === 'image').length,
    }),
    [draft.images, draft.rememberImage, user, openLogin, form],
  )
  const keepSeed = (field: string, seed: number) => {
    draft.setValue(field, seed)
    toast.success(jobs('display.seedKept', { seed }))
  }
  const reset = () => {
    draft.reset()
    run.forgetProblems()
    toast.info(t('resetDone'))
  }

  return (
    <div className={styles.body}>
      <section className={styles.panel} aria-label={t('formTitle')}>
        <div className={styles.panelHead}>
          <h2>{t('formTitle')}</h2>
          <Button tone="ghost" size="small" icon="reset" disabled={busy} onClick={reset}>
            {t('reset')}
          </Button>
        </div>
        <div className={styles.form}>
          <SchemaForm
            id={FORM}
            form={form}
            values={draft.values}
            disabled={busy}
            widgets={widgets}
            context={context}
            problems={run.problems}
            onChange={draft.setValues}
            onSubmit={(values) => (user ? run.start(values) : openLogin())}
            onInvalid={() => user || openLogin()}
          />
        </div>
        <div className={styles.runBar}>
          {active ? (
            <Button tone="outline" size="large" className={styles.run} busy={run.canceling} onClick={run.cancel}>
              {jobs(run.canceling ? 'canceling' : 'cancelJob')}
            </Button>
          ) : (
            <Button
              type="submit"
              form={FORM}
              tone="primary"
              size="large"
              icon="bolt"
              className={styles.run}
              busy={run.sending}
            >
              {t(run.sending ? 'sending' : user === null ? 'signInToRun' : 'run')}
            </Button>
          )}
        </div>
      </section>
      <section
        className={classNames(styles.result, !run.job && !run.outOfCredits && styles.idle)}
        aria-label={t('resultTitle')}
      >
        <div className={styles.resultHead}>
          <h2>{t('resultTitle')}</h2>
          <UsedSeeds form={form} seeds={run.seeds} onKeep={keepSeed} disabled={busy} />
        </div>
        {run.outOfCredits && <NoCredit />}
        <JobDisplay job={run.job} />
      </section>
    </div>
  )
}
