export { blocksQuery, useIsBlocked } from './api'
export { BlockList } from './components/block-list'
export { useBlocking } from './use-blocking'
