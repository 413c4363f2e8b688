export { useRequestRequirement } from './api'
