export { PersonField } from './components/person-field'
