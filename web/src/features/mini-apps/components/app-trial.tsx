import { useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { JobDisplay } from '@/features/jobs'
import { usePendingUploads } from '@/shared/lib/use-pending-uploads'
import { Button } from '@/shared/ui/button'
import { isNumeric, valuesToSend } from '@/shared/ui/schema-form/check-values'
import { defaultsOf, type FormValues, type ReadForm, restoreValues } from '@/shared/ui/schema-form/read-form'
import { SchemaForm } from '@/shared/ui/schema-form/schema-form'
import type { KnownImage } from '../draft'
import { useAppRun } from '../use-app-run'
import styles from './app-trial.module.css'
import { FORM_WIDGETS } from './form-widgets'
import NoCredit from './no-credit'
import RunPrice from './run-price'
import UsedSeeds from './used-seeds'
import { countOf, type WidgetContext } from './widget-context'

const FORM = 'mini-app-trial'

type AppTrialProps = {
  /** The id of the saved mini app; null if none is saved. */
  app: string | null
  form: ReadForm
  /** Called when Run is pressed. If it returns false, it has shown the reason. */
  mayRun: () => boolean
  slot: HTMLElement | null
  resultTitle: string
}

/**
 * A preview of the form that is being edited, and runs of its saved version. Typed values are kept when the form
 * changes; the others follow the form's defaults.
 */
export default function AppTrial({ app, form, mayRun, slot, resultTitle }: AppTrialProps) {
  const { t } = useTranslation('miniApps')
  const { t: jobs } = useTranslation('jobs')
  const [typed, setTyped] = useState<FormValues>({})
  const [images, setImages] = useState<Record<string, KnownImage>>({})
  const result = useRef<HTMLElement>(null)
  const run = useAppRun(app ?? '', result)
  const { uploading, trackUpload } = usePendingUploads()
  const values = useMemo(() => ({ ...restoreValues(form, typed), ...textsOf(form, typed) }), [form, typed])
  const { active } = run
  const context = useMemo<WidgetContext>(
    () => ({
      images,
      rememberImage: (image) => setImages((before) => ({ ...before, [image.id]: image })),
      mayUpload: () => true,
      trackUpload,
      countOf: (widget) => countOf(form, widget),
    }),
    [images, form, trackUpload],
  )
  const submit = (sent: FormValues) => {
    // The form has the previous file until the upload ends.
    if (!uploading && mayRun()) run.start(sent)
  }
  return (
    <>
      <div className={styles.form}>
        <SchemaForm
          id={FORM}
          form={form}
          values={values}
          disabled={active || run.sending}
          widgets={FORM_WIDGETS}
          context={context}
          problems={run.problems}
          onChange={(next) => setTyped(typedOf(form, next))}
          onSubmit={submit}
          onInvalid={() => void mayRun()}
        />
      </div>
      <div className={styles.runBar}>
        {app && <RunPrice app={app} signedIn ended={run.ended} />}
        {/* One button for both, so that it keeps the focus. */}
        <Button
          {...(active
            ? { tone: 'outline', onClick: run.cancel }
            : ({ type: 'submit', form: FORM, icon: 'bolt' } as const))}
          wide
          busy={active ? run.canceling : run.sending || uploading}
        >
          {active
            ? jobs(run.canceling ? 'canceling' : 'cancelJob')
            : t(uploading ? 'uploading' : run.sending ? 'sending' : 'testRun')}
        </Button>
      </div>
      {slot &&
        createPortal(
          <section ref={result} className={styles.result} aria-label={resultTitle}>
            <div className={styles.resultHead}>
              <h2>{resultTitle}</h2>
              <UsedSeeds
                form={form}
                seeds={run.seeds}
                disabled={active}
                onKeep={(field, seed) => setTyped((before) => ({ ...before, [field]: seed }))}
              />
            </div>
            {run.outOfCredits && <NoCredit onLater={run.forgetCredits} />}
            <JobDisplay
              job={run.job}
              created={run.created}
              onAgain={run.again}
              onRetry={() => submit(valuesToSend(form.fields, values))}
            />
          </section>,
          slot,
        )}
    </>
  )
}

/** Texts of number fields that are no number yet. */
const textsOf = (form: ReadForm, values: FormValues): FormValues =>
  Object.fromEntries(
    form.fields
      .filter((field) => isNumeric(field) && typeof values[field.name] === 'string')
      .map(({ name }) => [name, values[name]]),
  )

/** The values that differ from the form's defaults. */
function typedOf(form: ReadForm, values: FormValues): FormValues {
  const defaults = defaultsOf(form)
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== defaults[name]))
}
