import type { components } from './schema'

/**
 * Types of the API. Where the schema is too wide (statuses are plain strings there, values of any kind have no type),
 * fields are narrowed here, once. Everything else comes from the generated types.
 */
type Schemas = components['schemas']
type Narrow<T, N> = Omit<T, keyof N> & N

export type Language = 'en' | 'ko'
export type User = Narrow<Schemas['UserView'], { language: Language }>
/** The operator of this installation. */
export type Operator = Schemas['OperatorView']
export type ChatMember = Schemas['ChatMemberView']
/** A sign-in session of the user. */
export type Session = Schemas['SessionView']
export type SubscriptionPlan = Schemas['SubscriptionPlanView']
export type Plan = Schemas['PlanView']
export type Asset = Schemas['AssetView']
export type ApiKey = Schemas['ApiKeyView']
export type CreatedApiKey = Schemas['NewApiKeyView']
export type Grant = Narrow<Schemas['GrantView'], { kind: 'Plan' | 'Purchase' | 'Operator' | 'Coupon' }>
export type Ceilings = Schemas['CeilingsView']
export type Balance = Narrow<Schemas['CreditView'], { grants: Grant[] }>
export type LedgerEntry = Narrow<
  Schemas['EntryView'],
  { kind: 'Grant' | 'Hold' | 'Capture' | 'Release' | 'Expire' | 'Debit' }
>
/** What a coupon gives: credits, a plan for some days, or a lower price of a pack. */
export type CouponBenefit = Schemas['BenefitView']
/** A coupon as admins see it. `code` is the shared code; a coupon of unique codes has none. */
export type Coupon = Schemas['CouponView']
export type CouponBody = Schemas['CouponBody']
export type CouponPatch = Schemas['CouponChangeBody']
/** A redemption, as the user sees it who redeemed the coupon. */
export type RedeemedCoupon = Schemas['CouponUseView']
/** A redemption, as admins see it. */
export type CouponUse = Schemas['CouponRedemptionView']
/** A banner, or the bonus of a first purchase, as admins see it. */
export type Promotion = Schemas['PromotionView']
export type PromotionBody = Schemas['PromotionBody']
export type PromotionPatch = Schemas['PromotionChangeBody']
/** What the visitor is offered now. */
export type CurrentPromotions = Schemas['CurrentPromotionsView']
export type Banner = NonNullable<CurrentPromotions['banner']>
/** A currency of the shop. Amounts are whole numbers of its smallest unit. */
export type Currency = Schemas['CurrencyWord']
export type PaymentProvider = Schemas['PaymentProviderWord']
/** How a user got something: for money, by a coupon, or from an admin. */
export type PaymentType = Schemas['PaymentTypeWord']
/** The country of the buyer, which decides the currency. */
export type BillingCountry = Schemas['OrderBody']['country']
/** Packs of credits, and plans that are paid every month. */
export type ItemKind = NonNullable<Schemas['ShopItemBody']['kind']>
/** What can be bought. A plan's credits are what a month gives. */
export type Item = Narrow<Schemas['ShopItemView'], { kind: ItemKind }>
/** An item as admins see it. */
export type AdminItem = Narrow<Schemas['AdminShopItemView'], { kind: ItemKind }>
export type ItemBody = Schemas['ShopItemBody']
export type ItemPatch = Schemas['ShopItemChangeBody']
/** The offered items and the currencies in which this installation sells. */
export type Shop = Narrow<Schemas['ShopView'], { items: Item[] }>
/** A purchase, as its buyer sees it; or what the user was given without a payment. */
export type Order = Narrow<Schemas['OrderView'], { kind: ItemKind }>
export type OrderBody = Schemas['OrderBody']
/** What a purchase costs and gives, before it is ordered. */
export type PurchaseQuote = Schemas['PurchaseQuoteView']
export type PurchaseQuoteBody = Schemas['PurchaseQuoteBody']
export type OrderRefund = Schemas['OrderRefundView']
/** A purchase, as admins see it. A single one has the credits of it that can be taken back. */
export type SoldOrder = Narrow<Schemas['AdminOrderView'], { kind: ItemKind }>
export type RefundBody = Schemas['RefundBody']
/** A payment at the test provider. */
export type TestPayment = Schemas['TestPaymentView']
export type TestPaymentAnswer = Schemas['TestAnswerWord']
/** A saved card. Its number is masked. */
export type PaymentMethod = Schemas['PaymentMethodView']
export type PaymentMethods = Schemas['PaymentMethodsView']
/** Where a card is saved: a page of the provider, its script, or our form. */
export type PaymentMethodWindow = Schemas['PaymentMethodWindowView']
export type TossWindow = NonNullable<PaymentMethodWindow['toss']>
export type CardBody = Schemas['CardBody']
/** A card at the test provider. */
export type TestCard = Schemas['TestCardView']
export type TestCardAnswer = Schemas['TestCardAnswerBody']['answer']
/** A plan that the test provider charges every month. */
export type TestAgreement = Schemas['TestAgreementView']
export type TestAgreementAnswer = Schemas['TestAgreementAnswerBody']['answer']
/** What happens to one that runs. */
export type TestAgreementChange = Exclude<TestAgreementAnswer, TestPaymentAnswer>
/** A plan that is paid every month, as its subscriber sees it. */
export type Subscription = Narrow<Schemas['PaidSubscriptionView'], { order?: Order | null }>
export type CurrentSubscription = Narrow<Schemas['CurrentSubscriptionView'], { subscription?: Subscription | null }>
export type SubscribeBody = Schemas['SubscribeBody']
/** What a change of the plan costs, and when it starts. */
export type PlanChange = Schemas['PlanChangeView']
export type PlanChangeBody = Schemas['PlanChangeBody']
/** A subscription, as admins see it. */
export type AdminSubscription = Narrow<Schemas['AdminSubscriptionView'], { order?: Order | null }>
/** A user's plan, credits and newest orders, as admins see them. */
export type PersonMoney = Narrow<
  Schemas['PersonMoneyView'],
  { subscription?: Subscription | null; grants: PersonGrant[]; orders: Order[] }
>
/** Credits of one grant, with what they were granted for. */
export type PersonGrant = Narrow<Schemas['PersonGrantView'], { kind: Grant['kind'] }>
export type DebitBody = Schemas['DebitBody']
/** What was paid and paid back over time. */
export type Revenue = Narrow<Schemas['RevenueView'], { rows: RevenueRow[] }>
export type RevenueRow = Narrow<Schemas['RevenueRowView'], { kind: ItemKind }>
/** The charges of the days of a month, in UTC. */
export type SubscriptionCalendar = Schemas['SubscriptionCalendarView']
export type CalendarDay = SubscriptionCalendar['days'][number]
export type MiniAppCard = Schemas['WorkflowView']
export type Workflow = Schemas['WorkflowView']
/** A YouTube video that admins picked. */
export type CommunityVideo = Schemas['VideoView']
export type WorkflowTag = Schemas['WorkflowTagView']
export type WorkflowTagCard = Schemas['WorkflowTagCard']
/** A tag with its usage counts, for admins. */
export type WorkflowTagUse = Schemas['WorkflowTagUseView']
/** A graph in both formats, where they exist. */
export type WorkflowGraph = {
  workflow: Record<string, unknown> | null
  output: Record<string, { class_type: string; inputs?: Record<string, unknown>; _meta?: { title?: string } }> | null
  /** Node classes that no connected worker has. */
  missingNodes?: string[]
}
export type WorkflowApi = Schemas['WorkflowApiView']
export type AppVersion = Schemas['AppVersionView']
export type Quote = Schemas['QuoteView']
/** Whether a worker can run a mini app, and what the workers lack. */
export type AppAvailability = Schemas['WorksView']
/** A mini app that another user shares with the caller. */
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

/** An exception of a node, in ComfyUI's words. */
export type ExecuteException = {
  exception_message: string
  exception_type?: string | null
  node_id?: string | null
  node_type?: string | null
  traceback?: string[] | string | null
}
export type ValidateException = { message: string; error?: unknown; node_errors?: Record<string, unknown> | null }

/** ComfyUI's `node_errors`: problems of a prompt by node id. */
export type NodeErrors = Record<
  string,
  { errors: { type: string; message: string; details: string }[]; dependent_outputs: string[]; class_type: string }
>

type Exceptions = {
  status: JobStatusName
  executeException?: ExecuteException | null
  validateException?: ValidateException | null
  /** Errors of outputs that were left out because they cannot be computed. */
  nodeErrors?: NodeErrors | null
}
/** Seeds beyond the safe integers are strings of digits. */
export type Seeds = Record<string, number | string>
export type Job = Narrow<Schemas['JobView'], Exceptions & { seeds: Seeds }>
/** A job in the admins' list. */
export type AnyJob = Narrow<Schemas['AnyJobView'], Omit<Exceptions, 'nodeErrors'>>
/** A page of them, which may end before it is full. */
export type AnyJobsPage = Narrow<Schemas['AnyJobsView'], { items: AnyJob[] }>
export type JobStatus = Narrow<Schemas['StatusView'], Exceptions>
export type CanceledJob = { _id: string; status: JobStatusName }
export type JobQueue = Schemas['QueueView']
/** Why a job waits. Unknown codes are shown by their message. */
export type WaitingReason = Narrow<Schemas['WhyView'], { details: Record<string, unknown> }>
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

/** The app and settings that made a picture. */
export type Origin = Schemas['OriginView']
export type OriginSetting = Schemas['SettingView']

export type Profile = Schemas['ProfileView']

/** The public view of a user. */
export type PersonCard = Schemas['UserCard']
export type Comment = Schemas['CommentView']
export type CommentPage = Schemas['CommentsView']
export type NotificationType = 'COMMENT' | 'LIKE' | 'NOTICE' | 'REQUESTS' | 'OTHERS'
export type Notification = Narrow<
  Schemas['NotificationView'],
  { type: NotificationType; othersType?: 'VIEW' | 'LIKE' | 'LAUNCH' | null }
>
/** An announcement of the operators to all users. */
export type Notice = Schemas['NoticeView']
/** A user whom the caller has blocked. */
export type Block = Schemas['BlockView']
export type ReportKind = Schemas['ReportKind']
export type ReportReason = Schemas['ReportReason']
/** All reports of one item and the decisions of moderators on them. */
export type ModerationCase = Schemas['CaseView']
export type ModerationCaseDetail = Schemas['CaseDetailView']
export type CaseState = Schemas['CaseState']
export type CaseVerdict = Schemas['CaseVerdict']
export type Snapshot = Schemas['SnapshotView']
export type Decision = Schemas['DecisionView']
export type Ban = Schemas['BanView']
/** The operators' view of a user. */
export type Person = Schemas['PersonView']
export type PersonDetail = Schemas['PersonDetailView']
/** A session, grouped by the network address at which it began. */
export type Sighting = Schemas['SightingView']
export type AuditAction = Schemas['AuditAction']
export type AuditEntry = Schemas['AuditEntryView']

export type SearchResults = Narrow<Schemas['FoundView'], { pictures: OutputAsset[] }>
/** Mini apps that match a description, and why. */
export type Suggestions = Schemas['SuggestionsView']
export type Suggested = Schemas['SuggestedView']

/** A text in English and Korean. */
export type Bilingual = Schemas['BilingualView']
export type Worker = Schemas['WorkerView']
/** A machine that connects itself as a worker. */
export type Agent = Schemas['AgentView']
export type AgentToken = Schemas['AgentTokenView']
export type NewAgentToken = Schemas['NewAgentTokenView']
/** A background task of the platform and its last run. */
export type UpkeepTask = Schemas['UpkeepTaskView']
export type Announcements = Schemas['AnnouncementsView']

export type PageNumbers = Schemas['Pagination']
/** One page of a cursor list. */
export type CursorPage<T> = { items: T[]; nextCursor?: string | null }

/** The user's unsaved graph in the editor. */
export type WorkflowDraft = Schemas['DraftView']
/** Node classes and models that a graph needs and the user's workers do not have. */
export type GraphRequirements = Schemas['RequirementsView']
export type MissingRequirement = Schemas['MissingRequirementView']
/** A node class or model that users have asked for, for operators. */
export type RequestedRequirement = Schemas['RequestedRequirementView']
/** A saved version of a workflow's graph, without the graph. */
export type WorkflowVersion = Schemas['VersionView']

/** What a generator makes. */
export type GeneratorTask =
  | 'TextToImage'
  | 'ImageToImage'
  | 'Inpaint'
  | 'Upscale'
  | 'TextToVideo'
  | 'ImageToVideo'
  | 'FramesToVideo'
  | 'VideoToVideo'
  | 'TextToAudio'
  | 'SoundToSound'
  | 'TextTo3D'
  | 'ImageTo3D'
  | 'RemoveBackground'
  | 'SwapFace'
  | 'DescribeImage'
/** A generator on the page of admins. */
export type Generator = Narrow<
  Required<Schemas['GeneratorStateView']>,
  { task: GeneratorTask; licence: Licence | null }
>
type Licence = Narrow<Schemas['LicenceView'], { commercial: 'Yes' | 'No' | 'Conditions' }>
/** A model file of the connected workers. */
export type WorkerModel = Required<Schemas['WorkerModelView']>
/** The name of a model that a file of a folder can be like. */
export type ModelName = Schemas['ModelNameView']
export type GeneratorPage = Narrow<Schemas['GeneratorPageView'], { generators: Generator[]; models: WorkerModel[] }>

/** The last part of a simple app's URL. */
export type SimpleAppAddress = 'background-remover' | 'face-swap' | 'image-to-prompt'
/** The mini app that operators bind to the address of a simple app. */
export type SimpleAppBinding = Narrow<Required<Schemas['SimpleAppBindingView']>, { address: SimpleAppAddress }>
/** The mini app that is bound to the address of a simple app. */
export type SimpleApp = Narrow<
  Required<Schemas['SimpleAppView']>,
  { address: SimpleAppAddress; state: 'Ready' | 'Waiting' | 'Unbound' }
>
