import { useQuery } from '@tanstack/react-query'
import { Skeleton } from '@/shared/ui/states'
import { workflowGraphQuery } from '../api'
import GraphDrawing from './graph-drawing'
import styles from './graph-preview.module.css'

export function GraphPreview({ id, name, signedIn }: { id: string; name: string; signedIn: boolean }) {
  const graph = useQuery(workflowGraphQuery(id, signedIn))
  if (graph.isPending) return <Skeleton className={styles.stage} />
  return <GraphDrawing graph={graph.data} name={name} />
}
