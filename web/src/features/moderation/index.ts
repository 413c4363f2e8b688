export { BanFields } from './components/ban-fields'
export { DecisionList } from './components/decision-list'
export { PersonLine } from './components/person-line'
export { type BanDraft, isComplete, MAX_WORDS, NO_BAN, penalty } from './model'
