export {
  basicWorkflowsQuery,
  favouriteWorkflowsQuery,
  publishedByQuery,
  unpublishedByQuery,
  workflowsQuery,
  workflowTagsQuery,
} from './api'
export { PostFacts } from './components/post-facts'
export { TagChips } from './components/tag-chips'
export { WorkflowGridSkeleton, WorkflowList } from './components/workflow-grid'
export { nsfwFilter, useNsfwChoice } from './nsfw'
