import type { components } from './schema'

type Schemas = components['schemas']

export type User = Schemas['User']
export type Asset = Schemas['Asset']
export type InputAsset = Schemas['InputAsset']
export type ApiKey = Schemas['ApiKey']
export type CreatedApiKey = Schemas['CreatedApiKey']
export type Balance = Schemas['Balance']
export type LedgerEntry = Schemas['LedgerEntry']
export type MiniAppCard = Schemas['MiniAppCard']
export type WorkflowApi = Schemas['WorkflowApi']
export type Job = Schemas['Job']
export type JobStatus = Schemas['JobStatus']
export type JobStatusName = Schemas['JobStatusName']
export type JobQueue = Schemas['Queue']
export type JobProgress = Schemas['Progress']
export type JobOutput = Schemas['JobOutput']
export type OutputFile = Schemas['OutputFile']
export type OutputAsset = Schemas['OutputAsset']
export type Language = User['language']
/** One page of a cursor list, as the server sends it. */
export type CursorPage<T> = { items: T[]; nextCursor: string | null }
