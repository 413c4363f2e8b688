import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'

export {
  basicWorkflowsQuery,
  favouriteWorkflowsQuery,
  publishedByQuery,
  unpublishedByQuery,
  workflowGraphQuery,
  workflowQuery,
  workflowsQuery,
  workflowTagsQuery,
} from './api'
export { PostFacts } from './components/lazy-post-facts'
export { TagChips } from './components/tag-chips'
export { WorkflowGridSkeleton, WorkflowList } from './components/workflow-grid'
export { dropWorkflowDrafts } from './draft-storage'
export { useLeaveGuard } from './use-leave-guard'

/** A static drawing of a graph, loaded on demand. */
export const GraphDrawing = lazyPart(chunk(() => import('./components/graph-drawing')))
/** An interactive graph, loaded on demand. */
export const GraphStage = lazyPart(chunk(() => import('./components/graph-stage')))
/** Imports a workflow from a file, loaded on demand. */
export const OpenFileButton = lazyPart(chunk(() => import('./components/open-file-button')))
