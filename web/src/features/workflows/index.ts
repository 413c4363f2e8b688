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
export { PostFacts } from './components/post-facts'
export { TagChips } from './components/tag-chips'
export { WorkflowGridSkeleton, WorkflowList } from './components/workflow-grid'
export { dropWorkflowDrafts } from './kept-draft'
export { useLeaveGuard } from './use-leave-guard'

/** A still drawing of a graph; fetched when one is shown. */
export const GraphDrawing = lazyPart(
  chunk(
    () => import('./components/graph-drawing'),
    (module) => ({ default: module.GraphDrawing }),
  ),
)
/** A graph to look around in; fetched when one is shown. */
export const GraphStage = lazyPart(chunk(() => import('./components/graph-stage')))
