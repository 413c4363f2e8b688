export { useCommentCount } from './api'
export { Comments } from './components/comments'
export type { Post } from './model'
