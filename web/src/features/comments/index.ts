export { Comments, CommentsDrawer } from './components/deferred'
export type { Post } from './model'
