export { kindSearchQuery, searchQuery } from './api'
export { HeaderSearch } from './components/header-search'
export { type Hit, type HitKind, hitsOf, moved } from './model'
export { useDebounced } from './use-debounced'
