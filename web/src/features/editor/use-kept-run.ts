import { useEffect, useState } from 'react'
import { session } from '@/shared/lib/storage'
import type { Project } from './model'

const KEY = 'editor.run'

type KeptRun = { user: string; flow: string | null; run: string }
type Of = Pick<Project, 'flow' | 'tab'>
/** A run, and the project whose graph it runs. A kept run of a new project has no tab: the frame names them later. */
type Run = { id: string; of: Of }

function read(user: string, flow: string | null): string | null {
  const kept = session.getJson<KeptRun>(KEY)
  return kept !== null && kept.user === user && kept.flow === flow ? kept.run : null
}

const isOf = ({ of }: Run, { flow, tab }: Of): boolean =>
  of.flow === flow && (flow !== null || of.tab === undefined || of.tab === tab)

/**
 * The latest run. A reload of the page keeps the run of the project that it opens, which need not be that of the
 * editor's active tab; `continues` is false for a new project.
 */
export function useKeptRun(user: string, project: Of, continues: boolean) {
  const [keptRun] = useState(() => (continues ? read(user, project.flow) : null))
  const [run, setRun] = useState<Run | null>(keptRun === null ? null : { id: keptRun, of: { flow: project.flow } })
  useEffect(() => {
    if (run === null) session.remove(KEY)
    else session.set(KEY, JSON.stringify({ user, flow: run.of.flow, run: run.id } satisfies KeptRun))
  }, [user, run])
  return {
    run: run?.id ?? null,
    keptRun,
    begin: (id: string) => setRun({ id, of: project }),
    close: () => setRun(null),
    /** A project was saved as a workflow. */
    settle: (of: Of, flow: string) => setRun((run) => (run && isOf(run, of) ? { ...run, of: { flow } } : run)),
  }
}
