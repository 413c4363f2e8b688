export { searchQuery } from './api'
export { HeaderSearch } from './components/header-search'
export { type Hit, type HitKind, hitsOf } from './model'
export { useDebounced } from './use-debounced'
