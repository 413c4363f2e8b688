export {
  basicWorkflowsQuery,
  favouriteWorkflowsQuery,
  publishedByQuery,
  unpublishedByQuery,
  workflowQuery,
  workflowsQuery,
  workflowTagsQuery,
} from './api'
export { GraphDrawing } from './components/graph-drawing'
export { PostFacts } from './components/post-facts'
export { TagChips } from './components/tag-chips'
export { WorkflowGridSkeleton, WorkflowList } from './components/workflow-grid'
export { dropWorkflowDrafts } from './kept-draft'
