import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { pictureGraphQuery } from '@/features/gallery'
import { GraphDrawing, workflowGraphQuery } from '@/features/workflows'
import { type EditorSource, jobGraphQuery } from '@/shared/api/editor'
import type { WorkflowGraph } from '@/shared/api/types'
import { EditorFrame } from '@/shared/ui/editor-frame'
import { PageError } from '@/shared/ui/page-error'
import { EmptyState, Skeleton } from '@/shared/ui/states'

type PreviewProps = { source: EditorSource; name: string; signedIn: boolean }

/** The graph, read-only: in the editor's frame, or as our drawing. */
export default function Preview({ source, name, signedIn }: PreviewProps) {
  const { t } = useTranslation('nodeEditor')
  const { flow, image, job } = source
  const picture = image && <PictureDrawing image={image} name={name} signedIn={signedIn} />
  return (
    <EditorFrame source={source} title={t('preview', { name })}>
      {flow && (
        <WorkflowDrawing flow={flow} name={name} signedIn={signedIn}>
          {picture}
        </WorkflowDrawing>
      )}
      {!flow && (picture ?? (job ? <JobDrawing job={job} name={name} /> : <NoPreview text="noPreview" />))}
    </EditorFrame>
  )
}

const FULL = { height: '100%' }

type WorkflowDrawingProps = { flow: string; name: string; signedIn: boolean; children: ReactNode }

/** `children` replace a workflow that cannot be seen. */
function WorkflowDrawing({ flow, name, signedIn, children }: WorkflowDrawingProps) {
  const graph = useQuery(workflowGraphQuery(flow, signedIn))
  if (graph.isPending) return <Skeleton style={FULL} />
  if (graph.data) return <Drawing graph={graph.data} name={name} />
  return children || <PageError error={graph.error} onRetry={() => void graph.refetch()} />
}

function PictureDrawing({ image, name, signedIn }: { image: string; name: string; signedIn: boolean }) {
  const made = useQuery(pictureGraphQuery(image, signedIn))
  if (made.isPending) return <Skeleton style={FULL} />
  if (made.data) return <Drawing graph={made.data.graph} name={made.data.name || name} />
  return <PageError error={made.error} onRetry={() => void made.refetch()} />
}

function JobDrawing({ job, name }: { job: string; name: string }) {
  const graph = useQuery(jobGraphQuery(job))
  if (graph.isPending) return <Skeleton style={FULL} />
  if (graph.isError) return <PageError error={graph.error} onRetry={() => void graph.refetch()} />
  return graph.data ? <Drawing graph={graph.data} name={name} /> : <NoPreview text="noJobGraph" />
}

function NoPreview({ text }: { text: 'noPreview' | 'noJobGraph' }) {
  const { t } = useTranslation('nodeEditor')
  return <EmptyState icon="workflow" title={t(text)} />
}

function Drawing({ graph, name }: { graph: WorkflowGraph; name: string }) {
  return (
    <Suspense fallback={<Skeleton style={FULL} />}>
      <GraphDrawing graph={graph} name={name} />
    </Suspense>
  )
}
