export { Comments, CommentsDrawer } from './components/lazy-comments'
export { dropCommentDrafts } from './drafts'
export type { Post } from './model'
