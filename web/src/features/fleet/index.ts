export { AgentTokens } from './components/agent-tokens'
export { WorkerList } from './components/worker-list'
