import type { components } from './schema'

/**
 * What the API sends. Its description is wider in places (statuses are plain text there, values of any kind have no
 * type), so those fields are narrowed here, once, and everything else is taken from the generated types.
 */
type Schemas = components['schemas']
type Narrow<T, N> = Omit<T, keyof N> & N

export type Language = 'en' | 'ko'
export type User = Narrow<Schemas['UserView'], { language: Language }>
/** Who runs this installation. */
export type Operator = Schemas['OperatorView']
/** A person in the support chat. */
export type ChatMember = Schemas['ChatMemberView']
/** A place where somebody is signed in. */
export type Session = Schemas['SessionView']
/** A plan and what it allows. */
export type Plan = Schemas['PlanView']
export type Asset = Schemas['AssetView']
export type ApiKey = Schemas['ApiKeyView']
export type CreatedApiKey = Schemas['NewApiKeyView']
export type Grant = Narrow<Schemas['GrantView'], { kind: 'Plan' | 'Purchase' | 'Operator' | 'Coupon' }>
export type Balance = Narrow<Schemas['CreditView'], { grants: Grant[] }>
export type LedgerEntry = Narrow<Schemas['EntryView'], { kind: 'Grant' | 'Hold' | 'Capture' | 'Release' | 'Expire' }>
export type MiniAppCard = Schemas['WorkflowView']
export type Workflow = Schemas['WorkflowView']
/** A video at YouTube that admins picked. */
export type CommunityVideo = Schemas['VideoView']
export type WorkflowTag = Schemas['WorkflowTagView']
export type WorkflowTagCard = Schemas['WorkflowTagCard']
/** A tag with how much it is used, for admins. */
export type WorkflowTagUse = Schemas['WorkflowTagUseView']
/** Both spellings of a graph, as far as there are any. */
export type WorkflowGraph = {
  workflow: Record<string, unknown> | null
  output: Record<string, { class_type: string; inputs?: Record<string, unknown>; _meta?: { title?: string } }> | null
  /** Node classes that no connected worker knows. */
  missingNodes?: string[]
}
export type WorkflowApi = Schemas['WorkflowApiView']
/** Whether some worker can run a mini app, and what they lack. */
export type Works = Schemas['WorksView']
/** A mini app that somebody shares with whoever is signed in. */
export type SharedApp = Schemas['SharedApiView']

export type InputAsset = { _id: string; asset: Asset; isPrivate: boolean; createdAt: string }

export type JobStatusName =
  | 'Pending'
  | 'Connecting'
  | 'Connected'
  | 'Running'
  | 'Done'
  | 'InvalidPrompt'
  | 'ExecuteError'
  | 'ConnectError'
  | 'WorkerConnectError'
  | 'WorkerExceptionError'
  | 'WorkerShutdownError'
  | 'ExecutionTimeout'
  | 'ForceTimeout'
  | 'Canceled'
  | 'UnknownError'

/** What a node raised, in ComfyUI's words. */
export type ExecuteException = {
  exception_message: string
  exception_type?: string | null
  node_id?: string | null
  node_type?: string | null
  traceback?: string[] | string | null
}
/** Why a prompt was refused. */
export type ValidateException = { message: string; error?: unknown; node_errors?: Record<string, unknown> | null }

/** What is wrong with the nodes of a prompt, by node id: ComfyUI's `node_errors`. */
export type NodeErrors = Record<
  string,
  { errors: { type: string; message: string; details: string }[]; dependent_outputs: string[]; class_type: string }
>

type Exceptions = {
  status: JobStatusName
  executeException?: ExecuteException | null
  validateException?: ValidateException | null
  /** Of outputs that were left out because they cannot be made. */
  nodeErrors?: NodeErrors | null
}
/** A seed that no number here holds is a text of its digits. */
export type Seeds = Record<string, number | string>
export type Job = Narrow<Schemas['JobView'], Exceptions & { seeds: Seeds }>
export type JobStatus = Narrow<Schemas['StatusView'], Exceptions>
export type CanceledJob = { _id: string; status: JobStatusName }
export type JobQueue = Schemas['QueueView']
/** What a job waits for; unknown codes are shown by their message. */
export type JobWhy = Narrow<Schemas['WhyView'], { details: Record<string, unknown> }>
export type JobProgress = Schemas['ProgressView']

/** A file among the outputs of a job. */
export type OutputFile = Pick<Schemas['FileOutputView'], 'url'> & Partial<Schemas['FileOutputView']>
export type JobOutput = Narrow<
  Schemas['NodeOutputsView'],
  {
    outputs: { images?: OutputFile[]; text?: string[]; gifs?: OutputFile[]; audio?: OutputFile[]; files?: OutputFile[] }
  }
>
export type OutputAsset = Narrow<Schemas['OutputAssetView'], { kind: 'image' | 'video' | 'audio' | 'file' }>

/** What a picture was made with. */
export type Origin = Schemas['OriginView']
export type OriginSetting = Schemas['SettingView']

export type Profile = Schemas['ProfileView']

/** A person as others see them. */
export type PersonCard = Schemas['UserCard']
export type Comment = Schemas['CommentView']
export type CommentPage = Schemas['CommentsView']
export type NotificationType = 'COMMENT' | 'LIKE' | 'NOTICE' | 'REQUESTS' | 'OTHERS'
export type Notification = Narrow<
  Schemas['NotificationView'],
  { type: NotificationType; othersType?: 'VIEW' | 'LIKE' | 'LAUNCH' | null }
>
/** What the operators tell everybody. */
export type Notice = Schemas['NoticeView']
/** Somebody whom the person has blocked. */
export type Block = Schemas['BlockView']
/** What can be reported, and why. */
export type ReportKind = Schemas['ReportKind']
export type ReportReason = Schemas['ReportReason']
/** All reports of one thing, and what moderators made of them. */
export type ModerationCase = Schemas['CaseView']
export type ModerationCaseDetail = Schemas['CaseDetailView']
export type CaseState = Schemas['CaseState']
export type CaseVerdict = Schemas['CaseVerdict']
export type Snapshot = Schemas['SnapshotView']
export type Decision = Schemas['DecisionView']
export type Ban = Schemas['BanView']
/** A person as operators see them. */
export type Person = Schemas['PersonView']
export type PersonDetail = Schemas['PersonDetailView']
/** A session of somebody's, by the address of the network that it began at. */
export type Sighting = Schemas['SightingView']
export type AuditAction = Schemas['AuditAction']
export type AuditEntry = Schemas['AuditEntryView']

/** What a search finds. */
export type Found = Narrow<Schemas['FoundView'], { pictures: OutputAsset[] }>
/** Mini apps for a wish, and why they fit. */
export type Suggestions = Schemas['SuggestionsView']
export type Suggested = Schemas['SuggestedView']

/** A text in both languages of the pages. */
export type Bilingual = Schemas['BilingualView']
export type Worker = Schemas['WorkerView']
/** A machine that connects itself as a worker. */
export type Agent = Schemas['AgentView']
export type AgentToken = Schemas['AgentTokenView']
export type NewAgentToken = Schemas['NewAgentTokenView']
/** Something that the platform looks after in the background, and its last round. */
export type UpkeepTask = Schemas['UpkeepTaskView']
export type Announcements = Schemas['AnnouncementsView']

/** Where a page stands in a list that counts pages. */
export type PageNumbers = Schemas['Pagination']
/** One piece of a cursor list. */
export type CursorPage<T> = { items: T[]; nextCursor?: string | null }
