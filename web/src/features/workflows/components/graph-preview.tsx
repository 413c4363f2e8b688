import { useQuery } from '@tanstack/react-query'
import { EditorFrame } from '@/shared/ui/editor-frame'
import { Skeleton } from '@/shared/ui/states'
import { workflowGraphQuery } from '../api'
import GraphDrawing from './graph-drawing'
import styles from './graph-preview.module.css'

export function GraphPreview({ id, name, signedIn }: { id: string; name: string; signedIn: boolean }) {
  const graph = useQuery(workflowGraphQuery(id, signedIn))
  if (graph.isPending) return <Skeleton className={styles.stage} />
  return (
    <EditorFrame source={{ flow: id }} title={name}>
      <GraphDrawing graph={graph.data} name={name} />
    </EditorFrame>
  )
}
