import type { Asset, Job, JobStatus, OutputAsset, User, Workflow } from '@/shared/api/types'

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
  seeds: {},
  attempt: 1,
  ...change,
})

export const picture = (change: Partial<OutputAsset> = {}): OutputAsset => ({
  _id: 'picture-1',
  key: 'abc.png',
  format: 'png',
  rawUrl: '/media/raw/abc.png',
  optimalUrl: '/media/optimal/abc.png',
  user: { _id: 'user-1', name: 'Mira', profile: null },
  likeCount: 0,
  viewCount: 0,
  isPrivate: true,
  isNsfw: false,
  createdAt: AT,
  kind: 'image',
  likes: [],
  job: { _id: 'job-1', duration: 1200 },
  asset: {
    key: 'abc.png',
    baseUrl: '',
    url: '/media/raw/abc.png',
    thumbnailUrl: '/media/w200/abc.png',
    width: 640,
    height: 480,
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
  likeCount: 0,
  viewCount: 0,
  launchCount: 0,
  createdAt: AT,
  editedAt: AT,
  publishedAt: AT,
  workflowTags: [],
  workflowApi: null,
  ...change,
})
