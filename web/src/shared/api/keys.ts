import type { CachedItems } from './patch-item'

/**
 * All query keys, so that one page can invalidate another page's list. Queries append ids and filters. A prefix stands
 * for all keys that begin with it.
 */
export const keys = {
  announcements: ['announcements'],
  account: { keys: ['account', 'keys'], plan: ['account', 'plan'], sessions: ['account', 'sessions'] },
  credits: {
    all: ['account', 'credits'],
    balance: ['account', 'credits', 'balance'],
    entries: ['account', 'credits', 'entries'],
  },
  audit: { all: ['audit'], list: ['audit', 'list'], admin: ['audit', 'admin'] },
  auth: { user: ['auth', 'user'], options: ['auth', 'options'] },
  blocks: ['blocks'],
  comments: { all: ['comments'], of: ['comments', 'of'], replies: ['comments', 'replies'], one: ['comments', 'one'] },
  editor: {
    installed: ['editor', 'installed'],
    draft: ['editor', 'draft'],
    versions: ['editor', 'versions'],
    version: ['editor', 'version'],
    requirements: ['editor', 'requirements'],
  },
  gallery: {
    all: ['gallery'],
    list: ['gallery', 'list'],
    newest: ['gallery', 'newest'],
    detail: ['gallery', 'detail'],
    graph: ['gallery', 'graph'],
    origin: ['gallery', 'origin'],
  },
  generators: { admin: ['generators', 'admin'] },
  jobs: {
    all: ['jobs'],
    list: ['jobs', 'list'],
    detail: ['jobs', 'detail'],
    batch: ['jobs', 'batch'],
    outputs: ['jobs', 'outputs'],
    graph: ['jobs', 'graph'],
    why: ['jobs', 'why'],
  },
  legal: ['legal'],
  miniApps: {
    all: ['mini-apps'],
    list: ['mini-apps', 'list'],
    suggest: ['mini-apps', 'suggest'],
    detail: ['mini-apps', 'detail'],
    models: ['mini-apps', 'models'],
    inputs: ['mini-apps', 'input-assets'],
    file: ['mini-apps', 'file'],
    shared: ['mini-apps', 'shared'],
    simple: ['mini-apps', 'simple'],
  },
  moderation: {
    all: ['moderation'],
    cases: ['moderation', 'cases'],
    case: ['moderation', 'case'],
    comments: ['moderation', 'comments'],
    person: ['moderation', 'person'],
  },
  notifications: {
    all: ['notifications'],
    alerts: ['notifications', 'alerts'],
    box: ['notifications', 'box'],
    counts: ['notifications', 'counts'],
    history: ['notifications', 'history'],
    notices: ['notifications', 'notices'],
  },
  operator: ['operator'],
  people: { all: ['people'], list: ['people', 'list'], one: ['people', 'one'], sightings: ['people', 'sightings'] },
  profile: ['profile'],
  search: ['search'],
  supportChat: ['support-chat'],
  tags: { all: ['workflow-tags'], uses: ['workflow-tags', 'uses'] },
  upkeep: ['upkeep', 'list'],
  videos: ['videos'],
  webhooks: {
    events: ['webhooks', 'events'],
    configs: ['webhooks', 'configs'],
    history: ['webhooks', 'history'],
  },
  workers: {
    all: ['workers'],
    list: ['workers', 'list'],
    agent: ['workers', 'agent'],
    tokens: ['workers', 'tokens'],
    requested: ['workers', 'requested'],
  },
  workflowApi: {
    editor: ['workflow-api', 'editor'],
    preview: ['workflow-api', 'preview'],
    shared: ['workflow-api', 'shared'],
  },
  workflows: {
    all: ['workflows'],
    list: ['workflows', 'list'],
    basic: ['workflows', 'basic'],
    basicsInOrder: ['workflows', 'basics-in-order'],
    candidates: ['workflows', 'candidates'],
    publishedBy: ['workflows', 'published-by'],
    unpublishedBy: ['workflows', 'unpublished-by'],
    favourites: ['workflows', 'favourites'],
    admin: ['workflows', 'admin'],
    detail: ['workflows', 'detail'],
    graph: ['workflows', 'graph'],
    objectInfo: ['object-info'],
  },
} as const

/** Items that several queries cache. */
export const CACHED_ITEMS = {
  comment: { lists: [keys.comments.of, keys.comments.replies], details: [keys.comments.one] },
  job: { lists: [keys.jobs.list], details: [keys.jobs.detail] },
  notice: { lists: [keys.notifications.notices], details: [] },
  picture: { lists: [keys.gallery.list, keys.gallery.newest], details: [keys.gallery.detail] },
  workflow: { lists: [keys.workflows.all, keys.miniApps.list], details: [keys.workflows.detail] },
} satisfies Record<string, CachedItems>
