/**
 * First API calls of common landing pages. The server preloads them in the HTML head, so that the browser fetches them
 * beside the program. A call that the page does not make is wasted: `preloads.test.ts` compares with the routes.
 */
type PreloadEntry = {
  /** The address. A segment that begins with a colon is a parameter, also in the calls. */
  path: string
  /** The module of the page. */
  page: string
  guest: string[]
  /** Calls for signed-in users. */
  user: string[]
}

const WHO = '/api/auth?guest=null'
const BEST = '/api/public/mini-app?limit=24&sort=view'
const BAND = '/api/public/output-asset?limit=8'
// A browser that hides sensitive pictures requests its own list afterwards.
const NEWEST = '/api/public/output-asset?limit=60&sort=newest&nsfw=View'

const post = (path: string): PreloadEntry => ({
  path,
  page: 'src/features/workflows/pages/workflow-page.tsx',
  guest: ['/api/public/workflow/:id'],
  user: [WHO, '/api/general/workflow/:id'],
})

const simpleApp = (address: string): PreloadEntry => ({
  path: `/easy-app/${address}`,
  page: 'src/features/mini-apps/pages/simple-app-page.tsx',
  guest: [`/api/public/simple-app/${address}`],
  user: [WHO, `/api/public/simple-app/${address}`],
})

export const PRELOADS: PreloadEntry[] = [
  { path: '/', page: 'src/app/home/home-page.tsx', guest: [BEST, BAND], user: [WHO, BEST, BAND] },
  {
    path: '/gallery',
    page: 'src/features/gallery/pages/gallery-page.tsx',
    guest: [NEWEST],
    user: [WHO, NEWEST],
  },
  // Before the pattern of all mini apps: the first match counts.
  simpleApp('background-remover'),
  simpleApp('face-swap'),
  simpleApp('image-to-prompt'),
  {
    path: '/easy-app/:id',
    page: 'src/app/easy-app-page.tsx',
    guest: ['/api/public/workflow-api/:id'],
    user: [WHO, '/api/general/workflow-api/:id'],
  },
  post('/workflows/:id'),
  post('/basic-workflows/:id'),
]
