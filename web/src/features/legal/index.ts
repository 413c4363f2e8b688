export { operatorQuery, useOutputDays } from './api'
