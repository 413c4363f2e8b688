import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WorkflowApi } from '@/shared/api/types'
import { download } from '@/shared/lib/download'
import { paths } from '@/shared/lib/paths'
import { useFailureToast } from '@/shared/lib/use-failure-toast'
import { Button, ButtonLink } from '@/shared/ui/button'
import { CopyButton } from '@/shared/ui/copy-button'
import { isUpload } from '@/shared/ui/schema-form/is-upload'
import { type FormField, readForm } from '@/shared/ui/schema-form/read-form'
import { Segments } from '@/shared/ui/segments'
import { EmptyState } from '@/shared/ui/states'
import { useEditor } from '../editor-context'
import { bodyOf, documentPath, type ExampleLanguage, exampleOf, LANGUAGES, runAddress, submitted } from '../examples'
import { keysInOrder } from '../model'
import styles from './data-preview-tab.module.css'
import { VersionList } from './version-list'

const NO_ID = 'WORKFLOW_API_ID'
const PINS = ['current', 'pinned'] as const

/** How a program uses the API: request, response and runnable examples. */
export default function DataPreviewTab({ form: rjsf }: { form: WorkflowApi['rjsf'] | null }) {
  const { t, i18n } = useTranslation('workflowApi')
  const { editor, setup } = useEditor()
  const [pin, setPin] = useState<(typeof PINS)[number]>('current')
  const form = useMemo(() => rjsf && readForm(rjsf.schema, rjsf.uiSchema, i18n.language), [rjsf, i18n.language])
  const api = editor.saved?._id ?? null
  if (!form || form.fields.length === 0) {
    return <EmptyState icon="log" title={t('data.none')} text={t('data.noneText')} />
  }
  const { origin } = window.location
  const version = (pin === 'pinned' && editor.saved?.version) || null
  const address = runAddress(origin, api ?? NO_ID, version)
  const body = bodyOf(form)
  return (
    <div className={styles.tab}>
      {api === null && <p className={styles.note}>{t('data.notSaved')}</p>}
      <section className={styles.section} aria-labelledby="api-request">
        <div className={styles.head}>
          <h2 id="api-request">{t('data.request')}</h2>
          {api !== null && <OpenApi path={documentPath(api, version)} name={editor.workflow.name} />}
        </div>
        {api !== null && (
          <>
            <Segments
              label={t('data.version')}
              options={PINS.map((key) => ({ key, title: t(`data.versions.${key}`) }))}
              value={pin}
              onChange={setPin}
            />
            <p className={styles.text}>{t(`data.versionTexts.${pin}`)}</p>
          </>
        )}
        <Code text={`POST ${address}`} />
        <Fields fields={form.fields} />
        <Code text={JSON.stringify(body, null, 2)} />
        {api !== null && (
          <>
            <p className={styles.text}>{t('data.document')}</p>
            <Code text={`GET ${origin}${documentPath(api, version)}`} />
          </>
        )}
      </section>
      <section className={styles.section} aria-labelledby="api-response">
        <div className={styles.head}>
          <h2 id="api-response">{t('data.response')}</h2>
        </div>
        <p className={styles.text}>{t('data.responseText')}</p>
        <Code text={JSON.stringify(submitted(form), null, 2)} />
        <p className={styles.text}>{t('data.outputsText')}</p>
        <Table
          label={t('data.outputs')}
          head={[t('data.name'), t('fields.apiFieldName'), t('data.node')]}
          rows={keysInOrder(setup.outputs).map((key) => {
            const { name = '', apiFieldName = '' } = setup.outputs[key] ?? {}
            return [name, apiFieldName, `#${key}`]
          })}
        />
      </section>
      <Examples api={api ?? NO_ID} version={version} body={body} />
      {api !== null && <VersionList api={api} />}
    </div>
  )
}

function OpenApi({ path, name }: { path: string; name: string }) {
  const { t } = useTranslation('workflowApi')
  const showFailure = useFailureToast()
  const [busy, setBusy] = useState(false)
  const save = () => {
    setBusy(true)
    download(path, `${name}.openapi.json`)
      .catch((error: unknown) => showFailure(error, t('data.openApiFailed')))
      .finally(() => setBusy(false))
  }
  return (
    <Button size="small" tone="outline" icon="download" busy={busy} onClick={save}>
      {t('data.openApi')}
    </Button>
  )
}

function Fields({ fields }: { fields: FormField[] }) {
  const { t } = useTranslation('workflowApi')
  const limitsOf = ({ minimum, maximum, step, maxLength, options, widget }: FormField) =>
    [
      options && widget !== 'model' && options.join(' | '),
      (minimum !== undefined || maximum !== undefined) &&
        t('data.between', { min: minimum ?? '−∞', max: maximum ?? '∞' }),
      step !== undefined && t('data.step', { step }),
      maxLength !== undefined && t('data.length', { count: maxLength }),
      widget === 'seed' && t('data.seed'),
      isUpload(widget) && t('data.file'),
    ]
      .filter(Boolean)
      .join(', ')
  return (
    <Table
      label={t('data.fields')}
      head={[t('data.field'), t('data.type'), t('data.limits'), t('data.default')]}
      rows={fields.map((field) => [
        field.required ? `${field.name} *` : field.name,
        field.type,
        limitsOf(field),
        field.default === undefined ? '' : JSON.stringify(field.default),
      ])}
    />
  )
}

type ExamplesProps = { api: string; version: string | null; body: ReturnType<typeof bodyOf> }

function Examples({ api, version, body }: ExamplesProps) {
  const { t } = useTranslation('workflowApi')
  const [language, setLanguage] = useState<ExampleLanguage>('curl')
  return (
    <section className={styles.section} aria-labelledby="api-examples">
      <div className={styles.head}>
        <h2 id="api-examples">{t('data.examples')}</h2>
        <ButtonLink size="small" tone="ghost" icon="key" to={paths.account('keys')}>
          {t('data.keys')}
        </ButtonLink>
      </div>
      <Segments
        label={t('data.language')}
        options={LANGUAGES.map((key) => ({ key, title: t(`data.languages.${key}`) }))}
        value={language}
        onChange={setLanguage}
      />
      <Code text={exampleOf(language, { origin: window.location.origin, api, version, body })} />
    </section>
  )
}

function Code({ text }: { text: string }) {
  const { t } = useTranslation()
  return (
    <div className={styles.code}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable. */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} label={t('copy')} />
    </div>
  )
}

type TableProps = { label: string; head: string[]; rows: string[][] }

function Table({ label, head, rows }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable.
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr key={cells.join()}>
              {cells.map((cell, at) => (
                <td key={head[at]}>{at === 0 || at === cells.length - 1 ? <code>{cell}</code> : cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
