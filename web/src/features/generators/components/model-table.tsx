import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ModelName, WorkerModel } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { type Column, DataTable } from '@/shared/ui/data-table'
import { useFamilyName } from '../use-family-name'
import { ModelSelect } from './model-select'
import styles from './tables.module.css'

type Row = WorkerModel & { _id: string }
type ModelTableProps = { models: WorkerModel[]; names: ModelName[]; onChanged: () => void }

/** The model files of the workers, with what they are taken for. */
export function ModelTable({ models, names, onChanged }: ModelTableProps) {
  const { t, i18n } = useTranslation('generators')
  const familyName = useFamilyName()
  const rows = useMemo(() => models.map((one): Row => ({ ...one, _id: `${one.folder}/${one.file}` })), [models])
  const taken = ({ family }: Row) => (family ? familyName(family) : t('models.unused'))
  const said = ({ isSet }: Row) => t(isSet ? 'models.admin' : 'models.nameAndHeader')
  const chosen = ({ isSet, like }: Row) => (isSet ? (like ?? t('models.none')) : t('models.auto'))
  const compare = (a: string, b: string) => a.localeCompare(b, i18n.language, { numeric: true })
  const columns: Column<Row>[] = [
    {
      key: 'file',
      title: t('models.file'),
      main: true,
      text: (one) => one.file,
      sort: (a, b) => compare(a.file, b.file),
      cell: (one) => <span className={styles.file}>{one.file}</span>,
    },
    {
      key: 'folder',
      title: t('models.folder'),
      text: (one) => one.folder,
      sort: (a, b) => compare(a.folder, b.folder),
      cell: (one) => <span className={styles.folder}>{one.folder}</span>,
    },
    {
      key: 'taken',
      title: t('models.taken'),
      text: taken,
      sort: (a, b) => compare(taken(a), taken(b)),
      cell: (one) => <span className={classNames(styles.whole, !one.family && styles.quiet)}>{taken(one)}</span>,
    },
    {
      key: 'said',
      title: t('models.said'),
      text: said,
      sort: (a, b) => compare(said(a), said(b)),
      cell: (one) => <span className={styles.whole}>{said(one)}</span>,
    },
    {
      key: 'choice',
      title: t('models.choice'),
      text: chosen,
      cell: (one) => <ModelSelect model={one} names={names} onChanged={onChanged} />,
    },
  ]
  return <DataTable name="worker-models" caption={t('models.title')} rows={rows} columns={columns} />
}
