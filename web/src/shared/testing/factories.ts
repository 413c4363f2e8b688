import type {
  AdminItem,
  Asset,
  Coupon,
  Job,
  JobStatus,
  Order,
  OutputAsset,
  PaymentMethod,
  PersonGrant,
  PersonMoney,
  Promotion,
  Quote,
  RevenueRow,
  SoldOrder,
  Subscription,
  Suggestions,
  UpkeepTask,
  User,
  Workflow,
} from '@/shared/api/types'

const AT = '2026-11-20T08:00:00Z'

export const asset = (change: Partial<Asset> = {}): Asset => ({
  _id: 'asset-1',
  key: 'abc.png',
  webpKey: 'abc.png',
  prefix: 'media',
  optimal: 'optimal',
  baseUrl: '',
  name: 'boat.png',
  kind: 'Image',
  url: '/media/raw/abc.png',
  thumbnailUrl: '/media/w200/abc.png',
  width: 640,
  height: 480,
  metadata: { width: 640, height: 480, duration: null, videoPreviewImageUrl: null },
  sizeBytes: 12_345,
  createdAt: AT,
  ...change,
})

export const user = (change: Partial<User> = {}): User => ({
  _id: 'user-1',
  name: 'Mira',
  nameTag: '#1234',
  email: 'mira@example.com',
  language: 'en',
  roles: ['Customer'],
  subscriptions: [{ name: 'Free' }],
  profile: null,
  credits: { available: 6000, held: 0 },
  emailVerified: true,
  hasPassword: true,
  signInWith: [],
  createdAt: AT,
  ...change,
})

export const jobStatus = (change: Partial<JobStatus> = {}): JobStatus => ({
  _id: 'job-1',
  status: 'Pending',
  executeException: null,
  validateException: null,
  queue: null,
  progress: null,
  ...change,
})

export const job = (change: Partial<Job> = {}): Job => ({
  _id: 'job-1',
  status: 'Running',
  executeException: null,
  validateException: null,
  workflowApi: 'app-1',
  workflow: { _id: 'w-1', name: 'Silk', cover: null },
  lane: 'interactive',
  pool: 'cpu',
  createdAt: AT,
  startedAt: null,
  endedAt: null,
  durationMs: null,
  credits: { held: 60, used: 0 },
  undelivered: [],
  labels: {},
  seeds: {},
  attempt: 1,
  priceClass: 'standard',
  ...change,
})

export const picture = (change: Partial<OutputAsset> = {}): OutputAsset => ({
  _id: 'picture-1',
  id: change._id ?? 'picture-1',
  key: 'abc.png',
  format: 'png',
  rawUrl: '/media/raw/abc.png',
  fileName: 'ComfyUI_00001_.png',
  downloadUrl: '/media/raw/abc/ComfyUI_00001_.png',
  contentType: 'image/png',
  hasPreview: true,
  isPublishable: true,
  optimalUrl: '/media/optimal/abc.png',
  user: { _id: 'user-1', name: 'Mira', profile: null },
  likeCount: 0,
  viewCount: 0,
  isPrivate: true,
  isNsfw: false,
  showsOrigin: true,
  createdAt: AT,
  kind: 'image',
  likes: [],
  job: { _id: 'job-1', duration: 1200 },
  moderation: null,
  asset: {
    key: 'abc.png',
    webpKey: 'abc.png',
    baseUrl: '',
    prefix: 'media',
    optimal: 'optimal',
    name: '20260101_000000.png',
    kind: 'Image',
    url: '/media/raw/abc.png',
    thumbnailUrl: '/media/w200/abc.png',
    width: 640,
    height: 480,
    metadata: { width: 640, height: 480, duration: null, videoPreviewImageUrl: null },
  },
  ...change,
})

export const workflow = (change: Partial<Workflow> = {}): Workflow => ({
  _id: 'workflow-1',
  name: 'Silk',
  description: '<p>Folds</p>',
  user: { _id: 'user-1', name: 'Mira', profile: null },
  cover: null,
  thumbnails: [],
  likes: [],
  isLiked: false,
  isPrivate: false,
  isNsfw: false,
  isBasic: false,
  kind: 'comfy',
  version: 1,
  likeCount: 0,
  viewCount: 0,
  launchCount: 0,
  createdAt: AT,
  editedAt: AT,
  publishedAt: AT,
  workflowTags: [],
  workflowApi: null,
  takes: [],
  makes: [],
  ...change,
})

/** The answer to a sentence that no app fits. */
export const suggestions = (change: Partial<Suggestions> = {}): Suggestions => ({
  fitting: [],
  waiting: [],
  others: [],
  drawingPools: [],
  task: 'TextToImage',
  generators: [],
  generatorsAway: [],
  ...change,
})

export const upkeepTask = (change: Partial<UpkeepTask> = {}): UpkeepTask => ({
  name: 'digests',
  everySeconds: 60,
  deadlineSeconds: 300,
  batch: null,
  isRunning: false,
  node: '01970000-0000-7000-8000-000000000001',
  startedAt: AT,
  endedAt: AT,
  dueAt: AT,
  done: 0,
  error: null,
  failures: 0,
  ...change,
})

/** The price of a run that has run before. */
export const quote = (change: Partial<Quote> = {}): Quote => ({
  pool: 'standard',
  poolTitle: 'Fast GPU',
  creditsPerSecond: 10,
  workers: 1,
  expected: { runMs: 4200, upperRunMs: 5000, credits: 42, upperCredits: 50 },
  mostCredits: 6000,
  mostRunMs: 600_000,
  etaSeconds: { low: 0, high: 1 },
  flex: {
    percent: 60,
    expected: { runMs: 4200, upperRunMs: 5000, credits: 26, upperCredits: 30 },
    mostCredits: 3600,
    mostRunMs: 600_000,
  },
  ...change,
})

/** A coupon of 5,000 credits with a shared code. */
export const coupon = (change: Partial<Coupon> = {}): Coupon => ({
  _id: 'coupon-1',
  name: 'Welcome',
  benefit: { kind: 'Credits', amount: 5000, plan: null, days: 90, percent: null },
  code: 'WELCOME-2026',
  codeCount: 1,
  usesPerAccount: 1,
  maxUses: 10,
  useCount: 3,
  startsAt: null,
  endsAt: null,
  isActive: true,
  createdAt: AT,
  ...change,
})

/** A pack of 10,000 credits with a price in both currencies. */
export const item = (change: Partial<AdminItem> = {}): AdminItem => ({
  _id: 'item-1',
  kind: 'Credit',
  name: 'Small pack',
  credits: 10_000,
  amount: 10_000,
  prices: { KRW: 9900, USD: 699 },
  isActive: true,
  createdAt: AT,
  ...change,
})

/** An active bonus of 20 percent. */
export const promotion = (change: Partial<Promotion> = {}): Promotion => ({
  _id: 'promotion-1',
  name: 'First pack',
  kind: 'FirstPurchase',
  isActive: true,
  startsAt: null,
  endsAt: null,
  percent: 20,
  createdAt: AT,
  ...change,
})

/** A banner for everyone. */
export const bannerPromotion = (change: Partial<Promotion> = {}): Promotion =>
  promotion({
    _id: 'promotion-2',
    name: 'Spring banner',
    kind: 'Banner',
    percent: null,
    audience: 'Everyone',
    textEn: 'Spring is here',
    textKo: '봄맞이 행사 중입니다',
    labelEn: 'See the packs',
    labelKo: '크레딧 보기',
    link: '/pricing',
    ...change,
  })

/** A paid order of that pack, which its buyer can return. */
export const order = (change: Partial<Order> = {}): Order => ({
  _id: 'order-1',
  kind: 'Credit',
  name: 'Small pack',
  credits: 10_000,
  bonusCredits: 0,
  amount: 699,
  listAmount: null,
  percentOff: null,
  couponCode: null,
  currency: 'USD',
  type: 'Payment',
  provider: 'Test',
  status: 'Paid',
  isSettling: false,
  isChange: false,
  plan: null,
  periodFrom: null,
  periodUntil: null,
  failure: null,
  declineReason: null,
  payAt: null,
  refundedAmount: 0,
  refundedCredits: 0,
  refundedBonusCredits: 0,
  refundableUntil: '2026-11-27T08:01:00Z',
  createdAt: AT,
  paidAt: '2026-11-20T08:01:00Z',
  expiresAt: '2027-02-18T08:01:00Z',
  ...change,
})

/** 500 credits of a coupon, in the history of orders. */
export const givenOrder = (change: Partial<Order> = {}): Order =>
  order({
    _id: 'given-1',
    name: 'Welcome',
    credits: 500,
    amount: 0,
    couponCode: 'WELCOME-2026',
    currency: null,
    type: 'Coupon',
    provider: 'Coupon',
    refundableUntil: null,
    ...change,
  })

/** The same for admins. */
export const soldOrder = (change: Partial<SoldOrder> = {}): SoldOrder => ({
  ...order(),
  user: { _id: 'user-1', name: 'Mira', profile: null },
  refunds: [],
  ...change,
})

/** The default card, which can be charged in dollars. */
export const paymentMethod = (change: Partial<PaymentMethod> = {}): PaymentMethod => ({
  _id: 'card-1',
  provider: 'Test',
  label: '4330-12**-****-1234',
  issuer: 'Test',
  currency: 'USD',
  isDefault: true,
  createdAt: AT,
  ...change,
})

/** A plan as it is sold: for $9.90 a month. */
export const planItem = (change: Partial<AdminItem> = {}): AdminItem =>
  item({
    _id: 'plan-pro',
    kind: 'Subscription',
    name: 'Pro monthly',
    plan: 'Pro',
    credits: 60_000,
    prices: { KRW: 12_900, USD: 990 },
    ...change,
  })

/** A paid order of that plan. */
export const planOrder = (change: Partial<Order> = {}): Order =>
  order({
    kind: 'Subscription',
    name: 'Pro monthly',
    plan: 'Pro',
    credits: 60_000,
    amount: 990,
    periodFrom: '2026-11-20T08:00:00Z',
    periodUntil: '2026-12-20T08:00:00Z',
    ...change,
  })

/** The subscription that this order has started. */
export const subscription = (change: Partial<Subscription> = {}): Subscription => ({
  _id: 'sub-1',
  plan: 'Pro',
  status: 'Active',
  paidWith: 'Card',
  payAt: null,
  testPage: null,
  isCanceled: false,
  endReason: null,
  amount: 990,
  currency: 'USD',
  credits: 60_000,
  periodFrom: '2026-11-20T08:00:00Z',
  periodUntil: '2026-12-20T08:00:00Z',
  nextPlan: null,
  nextAmount: 990,
  tries: 0,
  nextTryAt: null,
  method: paymentMethod(),
  order: planOrder(),
  createdAt: AT,
  endedAt: null,
  ...change,
})

/** 100 credits that an admin gave, of which 70 are left. */
export const personGrant = (change: Partial<PersonGrant> = {}): PersonGrant => ({
  _id: 'grant-1',
  kind: 'Operator',
  source: 'operator:A lost job',
  order: null,
  amount: 100,
  remaining: 70,
  held: 0,
  spent: 30,
  expired: 0,
  debited: 0,
  issuedAt: AT,
  expiresAt: '2027-02-18T08:00:00Z',
  ...change,
})

/** The money of a person with that grant alone. */
export const personMoney = (change: Partial<PersonMoney> = {}): PersonMoney => ({
  plan: 'Free',
  ownPlan: 'Free',
  givenPlan: null,
  subscription: null,
  balance: { available: 70, held: 0 },
  grants: [personGrant()],
  orders: [],
  ...change,
})

/** A day on which two packs were bought for $6.99 each, and one was paid back. */
export const revenueRow = (change: Partial<RevenueRow> = {}): RevenueRow => ({
  period: '2026-11-20',
  provider: 'PayPal',
  currency: 'USD',
  kind: 'Credit',
  orders: 2,
  paid: 1398,
  refunded: 699,
  net: 699,
  ...change,
})
