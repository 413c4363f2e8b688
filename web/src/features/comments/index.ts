export { Comments, CommentsDrawer } from './components/deferred'
export { dropCommentDrafts } from './drafts'
export type { Post } from './model'
