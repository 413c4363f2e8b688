export { operatorQuery } from './api'
