import { useEffect, useState } from 'react'
import { session } from '@/shared/lib/storage'

const KEY = 'editor.run'

type KeptRun = { user: string; flow: string | null; run: string }

function read(user: string, flow: string | null): string | null {
  const kept = session.getJson<KeptRun>(KEY)
  return kept !== null && kept.user === user && kept.flow === flow ? kept.run : null
}

/** The latest run of the open project. A reload of the page keeps it; `continues` is false for a new project. */
export function useKeptRun(user: string, flow: string | null, continues: boolean) {
  const [keptRun] = useState(() => (continues ? read(user, flow) : null))
  const [run, setRun] = useState(keptRun)
  useEffect(() => {
    if (run === null) session.remove(KEY)
    else session.set(KEY, JSON.stringify({ user, flow, run } satisfies KeptRun))
  }, [user, flow, run])
  return { run, setRun, keptRun }
}
