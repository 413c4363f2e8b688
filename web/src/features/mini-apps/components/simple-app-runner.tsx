import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useRequireUser } from '@/features/auth'
import type { SimpleApp, User, WorkflowApi } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { useTranslated } from '@/shared/lib/translated'
import { useFileDrop } from '@/shared/lib/use-file-drop'
import { useLastKnown } from '@/shared/lib/use-last-known'
import { usePendingUploads } from '@/shared/lib/use-pending-uploads'
import { Button } from '@/shared/ui/button'
import { RichText } from '@/shared/ui/rich-text'
import { type FormValues, type ReadForm, readForm } from '@/shared/ui/schema-form/read-form'
import { SchemaForm } from '@/shared/ui/schema-form/schema-form'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { miniAppQuery } from '../api'
import { divideForm, pendingRuns, type SimpleRun, takesTwo } from '../simple-app-runs'
import { useAppForm } from '../use-app-form'
import { useMayUpload } from '../use-may-upload'
import { useSimpleAppRuns } from '../use-simple-app-runs'
import { FORM_WIDGETS } from './form-widgets'
import NoCredit from './no-credit'
import RunPrice from './run-price'
import { PictureSlot, PicturesDrop } from './simple-app-composer'
import { SimpleAppList } from './simple-app-list'
import styles from './simple-app-runner.module.css'
import { countOf, type WidgetContext } from './widget-context'

const FORM = 'simple-app-options'
const SLOTS = ['target', 'face'] as const

type BoundAppProps = { app: SimpleApp; id: string; user: User | null }

/** Loads the mini app that is bound to a simple app. */
export default function BoundApp({ app, id, user }: BoundAppProps) {
  const { t, i18n } = useTranslation('miniApps')
  const query = useQuery(miniAppQuery(id, user !== null))
  // A sign-in asks again; the added pictures stay on the page.
  const miniApp = useLastKnown(query.data)
  const form = useMemo(() => {
    const read = miniApp && readForm(miniApp.rjsf.schema, miniApp.rjsf.uiSchema, i18n.language)
    return read ? divideForm(app.address, read) : null
  }, [miniApp, app.address, i18n.language])
  if (!miniApp && query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!miniApp) return <Skeleton style={{ display: 'block', height: 260, borderRadius: 16 }} />
  if (!form) return <EmptyState icon="warning" title={t('unsupportedForm')} />
  return <SimpleAppRunner app={app} miniApp={miniApp} form={form} user={user} />
}

type SimpleAppRunnerProps = {
  app: SimpleApp
  miniApp: WorkflowApi
  form: NonNullable<ReturnType<typeof divideForm>>
  user: User | null
}

/** The pictures, the options and the results of a simple app. While no worker can run it, only the results. */
function SimpleAppRunner({ app, miniApp, form, user }: SimpleAppRunnerProps) {
  const { t } = useTranslation('simpleApps')
  const { t: words } = useTranslation('miniApps')
  const asUser = useRequireUser()
  const { address } = app
  const runs = useSimpleAppRuns({ address, app: miniApp._id, fields: form.pictures, user })
  const { state } = runs
  const [isAsked, setIsAsked] = useState(false)
  const composer = useRef<HTMLElement>(null)
  const { uploading, trackUpload } = usePendingUploads()
  const two = takesTwo(address)
  const pending = pendingRuns(state).length
  const missing = SLOTS.map((_, at) => !state.slots[at])
  const isMissing = two ? missing.some(Boolean) : pending === 0
  if (isAsked && !isMissing) setIsAsked(false)
  // Without an area that takes files the browser would open a dropped one, and the page would be gone.
  useFileDrop(() => undefined, app.state !== 'Ready' || (two && !isMissing))

  const start = (values: FormValues) => {
    if (uploading) return
    setIsAsked(isMissing)
    if (!isMissing) asUser(() => runs.start(values))
  }
  const uploadImage = words('form.uploadImage')
  const hasOptions = form.rest.fields.length > 0
  return (
    <div className={styles.runner}>
      {app.state === 'Ready' && (
        <section ref={composer} tabIndex={-1} className={styles.composer} aria-label={t('add')}>
          {two ? (
            <div className={styles.slots}>
              {SLOTS.map((name, at) => {
                const picture = state.pictures[state.slots[at] ?? ''] ?? null
                return (
                  <PictureSlot
                    key={name}
                    name={name}
                    user={user}
                    picture={picture}
                    preview={picture && runs.previewOf(picture)}
                    problem={isAsked && missing[at] ? uploadImage : undefined}
                    pastes={missing.indexOf(true) === at}
                    onChange={(chosen) => runs.setSlot(at, chosen)}
                  />
                )
              })}
            </div>
          ) : (
            <PicturesDrop
              user={user}
              small={state.runs.length > 0}
              problem={isAsked ? uploadImage : undefined}
              onAdd={runs.add}
              onAddUploaded={runs.addUploaded}
            />
          )}
          {runs.outOfCredits && <NoCredit onLater={runs.laterCredits} />}
          {hasOptions && (
            <Options
              address={address}
              form={form.rest}
              pictureFields={form.pictures.length}
              user={user}
              trackUpload={trackUpload}
              onSubmit={start}
            />
          )}
          <div className={styles.runBar}>
            <RunPrice
              app={miniApp._id}
              signedIn={user !== null}
              count={Math.max(1, pending)}
              ended={lastEnded(state.runs)}
            />
            <Button
              tone="primary"
              size="large"
              icon="bolt"
              className={styles.run}
              busy={uploading}
              {...(hasOptions ? ({ type: 'submit', form: FORM } as const) : { onClick: () => start({}) })}
            >
              {user === null && !isMissing ? words('signInToRun') : t(`run.${address}`, { count: pending })}
            </Button>
          </div>
        </section>
      )}
      <SimpleAppList address={address} runs={runs} onEmpty={() => composer.current?.focus({ preventScroll: true })} />
      <About app={miniApp} />
    </div>
  )
}

/** The last ended run; null while one is active. */
const lastEnded = (runs: SimpleRun[]) =>
  runs.some((run) => run.job && !run.ended) ? null : (runs.findLast((run) => run.ended)?.key ?? null)

type OptionsProps = {
  address: SimpleApp['address']
  form: ReadForm
  pictureFields: number
  user: User | null
  trackUpload: WidgetContext['trackUpload']
  onSubmit: (values: FormValues) => void
}

/** The fields of the bound app besides the pictures. */
function Options({ address, form, pictureFields, user, trackUpload, onSubmit }: OptionsProps) {
  const { t } = useTranslation('simpleApps')
  const mayUpload = useMayUpload(user)
  const draft = useAppForm(address, form)
  const [isOpen, setIsOpen] = useState(false)
  const context = useMemo<WidgetContext>(
    () => ({
      images: draft.images,
      rememberImage: draft.rememberImage,
      mayUpload,
      trackUpload,
      countOf: (widget) => (widget === 'image' ? pictureFields : 0) + countOf(form, widget),
    }),
    [draft.images, draft.rememberImage, mayUpload, trackUpload, pictureFields, form],
  )
  return (
    <details className={styles.options} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{t('options')}</summary>
      <div className={styles.optionFields}>
        <SchemaForm
          id={FORM}
          form={form}
          values={draft.values}
          disabled={false}
          widgets={FORM_WIDGETS}
          context={context}
          problems={[]}
          onChange={draft.setValues}
          onSubmit={onSubmit}
          onInvalid={() => setIsOpen(true)}
        />
      </div>
    </details>
  )
}

/** What the bound app says of itself, with its limits. */
function About({ app }: { app: WorkflowApi }) {
  const { t } = useTranslation('simpleApps')
  const { workflow } = app
  const { name, description } = useTranslated()(workflow)
  return (
    <section className={styles.about} aria-label={t('about')}>
      <h2>{t('about')}</h2>
      {description && <RichText html={description} />}
      <p>
        <Link to={paths.workflow(workflow._id)}>{t('madeWith', { name })}</Link>
      </p>
    </section>
  )
}
