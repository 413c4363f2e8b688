import { type ChangeEvent, type DragEvent, type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { classNames } from '@/shared/lib/class-names'
import { tidyName } from '@/shared/lib/names'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { Dialog } from '@/shared/ui/dialog'
import { FieldError, TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { Icon } from '@/shared/ui/icon'
import { useCreateWorkflow } from '../api'
import { MAX_NAME } from '../model'
import { type ReadGraph, readGraph } from '../read-graph'
import styles from './dialogs.module.css'
import { MissingNotice } from './missing-notice'

/** The largest request that the server takes. */
const MAX_FILE_BYTES = 4_194_304

/** Begins a post: takes a workflow file, makes a private draft of it, and goes on to its upload page. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('workflows')
  const id = useId()
  const navigate = useNavigate()
  const text = useProblemText()
  const create = useCreateWorkflow()
  const [file, setFile] = useState<{ name: string } & ReadGraph>()
  const [name, setName] = useState('')
  // A name that was typed stays; otherwise it follows the file.
  const [typed, setTyped] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [over, setOver] = useState(false)

  const take = async (chosen: File | undefined) => {
    if (!chosen) return
    setProblem(undefined)
    create.reset()
    const read = chosen.size > MAX_FILE_BYTES ? null : readGraph(await chosen.text())
    if (!read) {
      setFile(undefined)
      if (!typed) setName('')
      return setProblem(t(chosen.size > MAX_FILE_BYTES ? 'import.tooLarge' : 'import.notAWorkflow'))
    }
    setFile({ name: chosen.name, ...read })
    if (!typed) setName(tidyName(chosen.name.replace(/\.json$/i, ''), MAX_NAME))
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!file) return setProblem(t('import.choose'))
    const tidy = tidyName(name, MAX_NAME)
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
        <label
          className={classNames(styles.drop, over && styles.over)}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event: DragEvent) => {
            event.preventDefault()
            setOver(false)
            void take(event.dataTransfer.files[0])
          }}
        >
          <Icon name={file ? 'workflow' : 'upload'} size={28} />
          <span className={styles.dropTitle}>{file ? file.name : t('import.drop')}</span>
          <span>{t('import.help')}</span>
          <input
            type="file"
            className="visually-hidden"
            accept=".json,application/json"
            aria-describedby={problem ? `${id}-problem` : undefined}
            onChange={({ target }: ChangeEvent<HTMLInputElement>) => {
              void take(target.files?.[0])
              // The same file, mended, can be chosen again.
              target.value = ''
            }}
          />
        </label>
        {file && file.dropped.length > 0 && (
          <p role="status">{t('import.dropped', { names: file.dropped.join(', ') })}</p>
        )}
        {file && <MissingNotice graph={file.graph} />}
        {problem && <FieldError id={`${id}-problem`}>{problem}</FieldError>}
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
