import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Generator } from '@/shared/api/types'
import { formatNumber } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { Chip, type ChipTone } from '@/shared/ui/chip'
import { type Column, DataTable } from '@/shared/ui/data-table'
import { type GeneratorStateName, STATES, stateOf } from '../model'
import { useFamilyName } from '../use-family-name'
import styles from './tables.module.css'

type Row = Generator & { _id: string }

/** Sorts generators without a stated need last. */
const UNKNOWN_GIB = Number.MAX_VALUE
const STATE_TONES: Record<GeneratorStateName, ChipTone> = { live: 'live', away: 'plain', failed: 'bad' }
const LICENCE_TONES = { Yes: 'good', Conditions: 'warn', No: 'bad' } as const satisfies Record<string, ChipTone>

export function GeneratorTable({ generators }: { generators: Generator[] }) {
  const { t } = useTranslation('generators')
  const columns = useColumns()
  const rows = useMemo(
    () => generators.map((one): Row => ({ ...one, _id: `${one.recipe}/${one.model}` })),
    [generators],
  )
  return <DataTable name="generators" caption={t('title')} rows={rows} columns={columns} />
}

function useColumns(): Column<Row>[] {
  const { t, i18n } = useTranslation('generators')
  const familyName = useFamilyName()
  const family = (one: Row) => (one.family ? familyName(one.family) : t('nothing'))
  const memory = ({ memoryGib }: Row) =>
    memoryGib === null ? t('unknown') : `${formatNumber(memoryGib, i18n.language)}\u00a0GiB`
  const name = (one: Row) => `${t(`tasks.${one.task}`)} · ${one.model || one.recipe}`
  const compare = (a: string, b: string) => a.localeCompare(b, i18n.language, { numeric: true })
  return [
    {
      key: 'generator',
      title: t('generator'),
      main: true,
      text: name,
      sort: (a, b) => compare(name(a), name(b)),
      cell: (one) => <Name generator={one} name={name(one)} />,
    },
    {
      key: 'family',
      title: t('family'),
      text: family,
      sort: (a, b) => compare(family(a), family(b)),
      cell: (one) => <span className={styles.whole}>{family(one)}</span>,
    },
    {
      key: 'state',
      title: t('state'),
      text: (one) => [t(`states.${stateOf(one)}`), one.failure].filter(Boolean).join(': '),
      sort: (a, b) => STATES.indexOf(stateOf(a)) - STATES.indexOf(stateOf(b)),
      cell: (one) => <State generator={one} />,
    },
    {
      key: 'licence',
      title: t('licence'),
      text: ({ licence }) => (licence ? `${licence.name}: ${t(`commercial.${licence.commercial}`)}` : t('unknown')),
      cell: ({ licence }) => <LicenceCell licence={licence} />,
    },
    {
      key: 'memory',
      title: t('memory'),
      text: memory,
      sort: (a, b) => (a.memoryGib ?? UNKNOWN_GIB) - (b.memoryGib ?? UNKNOWN_GIB),
      cell: (one) => <span className={styles.whole}>{memory(one)}</span>,
    },
    {
      key: 'recipe',
      title: t('recipe'),
      optional: true,
      text: (one) => one.recipe,
      cell: (one) => <span className={styles.file}>{one.recipe}</span>,
    },
  ]
}

/** The task and the model, with a link to the workflow. */
function Name({ generator, name }: { generator: Generator; name: string }) {
  const { t } = useTranslation('generators')
  const { task, model, recipe, workflow } = generator
  return (
    <div className={styles.name}>
      {workflow ? (
        <Link className={styles.link} to={paths.admin.workflow(workflow)} aria-label={name}>
          {t(`tasks.${task}`)}
        </Link>
      ) : (
        <span className={styles.title}>{t(`tasks.${task}`)}</span>
      )}
      <span className={styles.file}>{model || recipe}</span>
    </div>
  )
}

function State({ generator }: { generator: Generator }) {
  const { t } = useTranslation('generators')
  const { failure, isLive, workflow } = generator
  const state = stateOf(generator)
  return (
    <>
      <Chip tone={STATE_TONES[state]}>{t(`states.${state}`)}</Chip>
      {failure !== null && <p className={styles.error}>{failure}</p>}
      {failure !== null && workflow && <p className={styles.quiet}>{t(isLive ? 'earlierRuns' : 'earlierStays')}</p>}
    </>
  )
}

function LicenceCell({ licence }: Pick<Generator, 'licence'>) {
  const { t, i18n } = useTranslation('generators')
  if (!licence) return t('unknown')
  return (
    <>
      <span className={styles.licence}>
        {licence.name} <Chip tone={LICENCE_TONES[licence.commercial]}>{t(`commercial.${licence.commercial}`)}</Chip>
      </span>
      <p className={styles.quiet}>{i18n.language === 'ko' ? licence.noteKo : licence.note}</p>
    </>
  )
}
