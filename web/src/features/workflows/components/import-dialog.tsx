import { useQuery } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { classNames } from '@/shared/lib/class-names'
import { GRAPH_FILES } from '@/shared/lib/graph-files'
import { normalizeName } from '@/shared/lib/names'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { useDropZone } from '@/shared/lib/use-drop-zone'
import { EDITOR_WIDE, useMedia } from '@/shared/lib/use-media'
import { Button } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { FieldError, TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { Icon } from '@/shared/ui/icon'
import { objectInfoQuery, useCreateWorkflow } from '../api'
import { missingOf } from '../missing'
import { MAX_NAME, type SentGraph } from '../model'
import { type ReadGraph, readGraph } from '../read-graph'
import { useOpenFile } from '../use-open-file'
import styles from './dialogs.module.css'

/** Maximum request size of the server. */
const MAX_FILE_BYTES = 4_194_304

/** Begins a post: makes a private draft from a workflow file and opens its upload page. */
export default function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('workflows')
  const { t: files } = useTranslation('files')
  const id = useId()
  const navigate = useNavigate()
  const text = useProblemText()
  const create = useCreateWorkflow()
  const [file, setFile] = useState<{ name: string } & ReadGraph>()
  const [name, setName] = useState('')
  // A typed name is kept; otherwise the name follows the file.
  const [typed, setTyped] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [chosen, setChosen] = useState<File>()
  const latest = useRef<File>(undefined)
  const open = useOpenFile()
  const wide = useMedia(EDITOR_WIDE)

  const take = async (chosen: File | undefined) => {
    if (!chosen) return
    latest.current = chosen
    setChosen(chosen)
    // Until the file is read there is none, so that the one before is not sent.
    setFile(undefined)
    if (!typed) setName('')
    setProblem(undefined)
    create.reset()
    const isTooLarge = chosen.size > MAX_FILE_BYTES
    // The browser does not read a file that was changed or removed since it was chosen.
    const written = isTooLarge ? '' : await chosen.text().catch(() => null)
    if (latest.current !== chosen) return
    if (written === null) return setProblem(files('unreadable'))
    const read = isTooLarge ? null : readGraph(written)
    if (!read) return setProblem(t(isTooLarge ? 'import.tooLarge' : 'import.notAWorkflow'))
    setFile({ name: chosen.name, ...read })
    if (!typed) setName(normalizeName(chosen.name.replace(/\.json$/i, ''), MAX_NAME))
  }
  const { over, zone } = useDropZone(([dropped]) => void take(dropped))
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!file) return setProblem(t('import.choose'))
    const tidy = normalizeName(name, MAX_NAME)
    if (!tidy) return
    create.mutate(
      { name: tidy, graph: file.graph },
      {
        onSuccess: (made) => {
          onClose()
          void navigate(paths.editWorkflow(made._id, true))
        },
        onError: (error) => setProblem(text(error)),
      },
    )
  }
  return (
    <Dialog open onClose={onClose} title={t('import.title')}>
      <form className={styles.form} onSubmit={send}>
        <label className={classNames(styles.drop, over && styles.over)} {...zone}>
          <Icon name={file ? 'workflow' : 'upload'} size={28} />
          <span className={styles.dropTitle}>{file ? file.name : t('import.drop')}</span>
          <span>{t('import.help')}</span>
          <input
            type="file"
            className="visually-hidden"
            accept={GRAPH_FILES}
            aria-describedby={problem ? `${id}-problem` : undefined}
            onChange={({ target }: ChangeEvent<HTMLInputElement>) => {
              void take(target.files?.[0])
              // Allows choosing the same file again.
              target.value = ''
            }}
          />
        </label>
        {file && file.dropped.length > 0 && (
          <p role="status">{t('import.dropped', { names: file.dropped.join(', ') })}</p>
        )}
        {file && <MissingNotice graph={file.graph} />}
        {problem && <FieldError id={`${id}-problem`}>{problem}</FieldError>}
        {chosen && wide && (
          <div className={styles.open}>
            <p>{t('import.openText')}</p>
            <Button
              tone="outline"
              size="small"
              icon="workflow"
              onClick={() => {
                onClose()
                open(chosen)
              }}
            >
              {t('import.open')}
            </Button>
          </div>
        )}
        <TextField
          label={t('edit.name')}
          value={name}
          required
          onChange={(event) => {
            setName(event.target.value)
            setTyped(event.target.value !== '')
          }}
        />
        <FormActions onCancel={onClose} busy={create.isPending} disabled={!name.trim()}>
          {t('import.next')}
        </FormActions>
      </form>
    </Dialog>
  )
}

/** Warns about nodes and models that no connected worker has. The upload is allowed: a worker may get them later. */
function MissingNotice({ graph }: { graph: SentGraph }) {
  const { t } = useTranslation('workflows')
  const { data } = useQuery(objectInfoQuery())
  const missing = useMemo(() => data && missingOf(graph, data), [graph, data])
  if (!missing || missing.nodes.length + missing.models.length === 0) return null
  return (
    <div className={styles.missing} role="status">
      <Icon name="warning" size={18} />
      <div>
        {missing.nodes.length > 0 && (
          <p>
            {t('graph.missing', { count: missing.nodes.length })} <strong>{missing.nodes.join(', ')}</strong>
          </p>
        )}
        {missing.models.length > 0 && (
          <p>
            {t('graph.missingModels', { count: missing.models.length })} <strong>{missing.models.join(', ')}</strong>
          </p>
        )}
        <p>{t('import.missing')}</p>
      </div>
    </div>
  )
}
