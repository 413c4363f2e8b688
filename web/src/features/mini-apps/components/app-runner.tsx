import { Suspense, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useAsUser, useLoginDialog, useUser } from '@/features/auth'
import { isActive, JobDisplay } from '@/features/jobs'
import type { WorkflowApi } from '@/shared/api/types'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { classNames } from '@/shared/lib/class-names'
import { bringIntoSight } from '@/shared/lib/scroll'
import { useHolds } from '@/shared/lib/use-holds'
import { Button } from '@/shared/ui/button'
import { lazyPart } from '@/shared/ui/lazy-part'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { sentValues } from '@/shared/ui/schema-form/check-values'
import type { FormValues, ReadForm } from '@/shared/ui/schema-form/read-form'
import { SchemaForm } from '@/shared/ui/schema-form/schema-form'
import { useToast } from '@/shared/ui/toast'
import styles from '../pages/mini-app-page.module.css'
import { useAppForm } from '../use-app-form'
import { useAppRun } from '../use-app-run'
import type { Begin } from '../use-begin'
import { useWish } from '../use-wish'
import { AudioWidget, ImageWidget, VideoWidget } from './image-widget'
import { ModelWidget } from './model-widget'
import { NoCredit } from './no-credit'
import { ShareValues } from './share-values'
import { UsedSeeds } from './used-seeds'
import type { WidgetContext } from './widget-context'

/** With its texts; the page does not wait for what stands at its end. */
const EarlierRuns = lazyPart(withTexts(chunk(() => import('./earlier-runs'))))

const FORM = 'mini-app-form'
const widgets = { image: ImageWidget, video: VideoWidget, audio: AudioWidget, model: ModelWidget }

type AppRunnerProps = { app: WorkflowApi; form: ReadForm; begin: Begin | null }

/** The form on one side, the job on the other. */
export function AppRunner({ app, form, begin }: AppRunnerProps) {
  const { t } = useTranslation('miniApps')
  const { t: jobs } = useTranslation('jobs')
  const toast = useToast()
  const user = useUser()
  const openLogin = useLoginDialog()
  const asUser = useAsUser()
  const draft = useAppForm(app._id, form, useWish(form), begin)
  const settings = useRef<HTMLElement>(null)
  const result = useRef<HTMLElement>(null)
  const run = useAppRun(app._id, result)
  const { held, hold } = useHolds()
  const active = run.job !== null && !run.job.problem && (!run.job.status || isActive(run.job.status.status))
  const busy = active || run.sending

  const context = useMemo<WidgetContext>(
    () => ({
      images: draft.images,
      rememberImage: draft.rememberImage,
      mayUpload: () => {
        if (user === null) openLogin()
        return user !== null
      },
      holdRun: hold,
      imageFields: form.fields.filter((field) => field.widget === 'image').length,
    }),
    [draft.images, draft.rememberImage, user, openLogin, form, hold],
  )
  const keepSeed = (field: string, seed: number | string) => {
    draft.setValue(field, seed)
    toast.success(jobs('display.seedKept', { seed }))
  }
  const takeAgain = (earlier: Begin) => {
    draft.fill(earlier)
    run.forgetProblems()
    // Once the form is drawn with them: fields that grow on the way there would move the place.
    requestAnimationFrame(() => bringIntoSight(settings.current))
  }
  const reset = () => {
    draft.reset()
    run.forgetProblems()
    toast.info(t('resetDone'))
  }

  const submit = (values: FormValues) => {
    // What the form has until an upload ends is the file before it.
    if (held) return
    asUser(() => run.start(values))
  }
  const ended = run.job?.status && !isActive(run.job.status.status) ? run.job : null
  const failed = ended !== null && ended.status?.status !== 'Done'

  return (
    <>
      <div className={styles.body}>
        <section ref={settings} className={styles.panel} aria-label={t('formTitle')}>
          <div className={styles.panelHead}>
            <h2>{t('formTitle')}</h2>
            <div className={styles.panelTools}>
              <ShareValues app={app._id} form={form} values={draft.values} />
              <Button tone="ghost" size="small" icon="reset" disabled={busy} onClick={reset}>
                {t('reset')}
              </Button>
            </div>
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
              onSubmit={submit}
              onInvalid={() => user === null && openLogin()}
            />
          </div>
          <div className={styles.runBar}>
            {/* One button for both, so that the focus stays where it is when a job begins and ends. */}
            <Button
              {...(active
                ? { tone: 'outline', onClick: run.cancel }
                : ({ type: 'submit', form: FORM, tone: 'primary', icon: 'bolt' } as const))}
              size="large"
              className={styles.run}
              busy={active ? run.canceling : run.sending || held}
            >
              {active
                ? jobs(run.canceling ? 'canceling' : 'cancelJob')
                : t(held ? 'uploading' : run.sending ? 'sending' : user === null ? 'signInToRun' : 'run')}
            </Button>
          </div>
        </section>
        <section
          ref={result}
          className={classNames(styles.result, !run.job && !run.outOfCredits && styles.idle)}
          aria-label={t('resultTitle')}
        >
          <div className={styles.resultHead}>
            <h2>{t('resultTitle')}</h2>
            <UsedSeeds form={form} seeds={run.seeds} onKeep={keepSeed} disabled={busy} />
          </div>
          {run.outOfCredits && <NoCredit onLater={run.forgetCredits} />}
          <JobDisplay
            job={run.job}
            created={run.created}
            onAgain={run.again}
            onRetry={failed ? () => submit(sentValues(form.fields, draft.values)) : undefined}
          />
        </section>
      </div>
      {user && (
        <PartBoundary>
          <Suspense fallback={null}>
            <EarlierRuns app={app._id} form={form} ended={ended?.id ?? null} disabled={busy} onUse={takeAgain} />
          </Suspense>
        </PartBoundary>
      )}
    </>
  )
}
