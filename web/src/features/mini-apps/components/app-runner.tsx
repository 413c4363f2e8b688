import { Suspense, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useRequireUser, useUser } from '@/features/auth'
import { JobDisplay } from '@/features/jobs'
import type { WorkflowApi } from '@/shared/api/types'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { classNames } from '@/shared/lib/class-names'
import { copyText } from '@/shared/lib/clipboard'
import { ensureVisible } from '@/shared/lib/ensure-visible'
import { paths } from '@/shared/lib/paths'
import { usePendingUploads } from '@/shared/lib/use-pending-uploads'
import { Button } from '@/shared/ui/button'
import { lazyPart } from '@/shared/ui/lazy-part'
import { SilentRetry } from '@/shared/ui/load-error'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { valuesToSend } from '@/shared/ui/schema-form/check-values'
import type { FormValues, ReadForm } from '@/shared/ui/schema-form/read-form'
import { SchemaForm } from '@/shared/ui/schema-form/schema-form'
import { toast } from '@/shared/ui/toast'
import styles from '../pages/mini-app-page.module.css'
import { omitsValues, sharedHash } from '../shared-values'
import { useAppForm, useWishParam } from '../use-app-form'
import { useAppRun } from '../use-app-run'
import type { InitialValues } from '../use-initial-values'
import { useMayUpload } from '../use-may-upload'
import { FORM_WIDGETS } from './form-widgets'
import { countOf, type WidgetContext } from './widget-context'

// The page does not wait for its parts.
const NoCredit = lazyPart(chunk(() => import('./no-credit')))
const UsedSeeds = lazyPart(
  chunk(() => import('./used-seeds')),
  SilentRetry,
)
const RunPrice = lazyPart(withTexts(chunk(() => import('./run-price'))), SilentRetry)
const EarlierRuns = lazyPart(withTexts(chunk(() => import('./earlier-runs'))))

const FORM = 'mini-app-form'

type AppRunnerProps = { app: WorkflowApi; form: ReadForm; begin: InitialValues | null }

/** The form on one side, the job on the other. */
export function AppRunner({ app, form, begin }: AppRunnerProps) {
  const { t } = useTranslation('miniApps')
  const { t: jobs } = useTranslation('jobs')
  const user = useUser()
  const mayUpload = useMayUpload(user)
  const asUser = useRequireUser()
  const draft = useAppForm(app._id, form, useWishParam(form), begin)
  const settings = useRef<HTMLElement>(null)
  const result = useRef<HTMLElement>(null)
  const run = useAppRun(app._id, result)
  const { uploading, trackUpload } = usePendingUploads()
  const { active, ended } = run
  const busy = active || run.sending

  const context = useMemo<WidgetContext>(
    () => ({
      images: draft.images,
      rememberImage: draft.rememberImage,
      mayUpload,
      trackUpload,
      countOf: (widget) => countOf(form, widget),
    }),
    [draft.images, draft.rememberImage, mayUpload, form, trackUpload],
  )
  const keepSeed = (field: string, seed: number | string) => {
    draft.setValue(field, seed)
    toast.success(jobs('display.seedKept', { seed }))
  }
  const takeAgain = (earlier: InitialValues) => {
    draft.fill(earlier)
    run.forgetProblems()
    // After the form is drawn, because growing fields would move the position.
    requestAnimationFrame(() => ensureVisible(settings.current))
  }
  const reset = () => {
    draft.reset()
    run.forgetProblems()
    toast.info(t('resetDone'))
  }

  const submit = (values: FormValues) => {
    // The form has the previous file until the upload ends.
    if (uploading) return
    asUser(() => run.start(values))
  }

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
              widgets={FORM_WIDGETS}
              context={context}
              problems={run.problems}
              onChange={draft.setValues}
              onSubmit={submit}
              onInvalid={() => void mayUpload()}
            />
          </div>
          <div className={styles.runBar}>
            <Suspense fallback={null}>
              <RunPrice app={app._id} signedIn={user !== null} ended={ended} when={run.when} />
            </Suspense>
            {/* One button for both, so that it keeps the focus. */}
            <Button
              {...(active
                ? { tone: 'outline', onClick: run.cancel }
                : ({ type: 'submit', form: FORM, tone: 'primary', icon: 'bolt' } as const))}
              size="large"
              wide
              busy={active ? run.canceling : run.sending || uploading}
            >
              {active
                ? jobs(run.canceling ? 'canceling' : 'cancelJob')
                : t(uploading ? 'uploading' : run.sending ? 'sending' : user === null ? 'signInToRun' : 'run')}
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
            {Object.keys(run.seeds).length > 0 && (
              <Suspense fallback={null}>
                <UsedSeeds form={form} seeds={run.seeds} onKeep={keepSeed} disabled={busy} />
              </Suspense>
            )}
          </div>
          {run.outOfCredits && (
            <Suspense fallback={null}>
              <NoCredit onLater={run.forgetCredits} />
            </Suspense>
          )}
          <JobDisplay
            job={run.job}
            created={run.created}
            onAgain={run.again}
            onRetry={() => submit(valuesToSend(form.fields, draft.values))}
          />
        </section>
      </div>
      {user && (
        <PartBoundary>
          <Suspense fallback={null}>
            <EarlierRuns app={app._id} form={form} ended={ended} disabled={busy} onUse={takeAgain} />
          </Suspense>
        </PartBoundary>
      )}
    </>
  )
}

/** Copies a link to this app with the form's values, except for uploads. */
function ShareValues({ app, form, values }: { app: string; form: ReadForm; values: FormValues }) {
  const { t } = useTranslation('appUse')
  const share = () => {
    const hash = sharedHash(form, values)
    if (hash === null) return toast.error(t('shareValues.tooLong'))
    copyText(new URL(paths.miniApp(app) + hash, window.location.origin).href).then(
      () => toast.success(t('shareValues.done'), omitsValues(form, values) ? t('shareValues.leftOut') : undefined),
      (error: unknown) => toast.error(t('shareValues.failed'), error),
    )
  }
  return (
    <Button tone="ghost" size="small" icon="link" onClick={share}>
      {t('shareValues.action')}
    </Button>
  )
}
