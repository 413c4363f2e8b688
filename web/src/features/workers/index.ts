export { WorkerList } from './components/worker-list'
