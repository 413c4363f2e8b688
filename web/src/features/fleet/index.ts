export { workersQuery } from './api'
export { AgentTokens } from './components/agent-tokens'
export { RequestedList } from './components/requested-list'
export { WorkerList } from './components/worker-list'
