/**
 * What the pages that people land on ask for first. The server names it in the head of its answer, so that a browser
 * fetches it beside the program. A call that a page does not make would be fetched in vain: `ahead.test.ts` asks the
 * routes.
 */
export type Ahead = {
  /** The address; a part that begins with a colon is open, in the calls too. */
  path: string
  /** The module of the page. */
  page: string
  guest: string[]
  /** Of somebody who is signed in. */
  user: string[]
}

const WHO = '/api/auth?guest=null'
const BEST = '/api/public/mini-app?limit=24&sort=view'
const BAND = '/api/public/output-asset?limit=8'
// Who leaves sensitive pictures out asks for a list of their own after that.
const NEWEST = '/api/public/output-asset?limit=60&sort=newest&nsfw=View'

const post = (path: string): Ahead => ({
  path,
  page: 'src/features/workflows/pages/workflow-page.tsx',
  guest: ['/api/public/workflow/:id'],
  user: [WHO, '/api/general/workflow/:id'],
})

export const AHEAD: Ahead[] = [
  { path: '/', page: 'src/app/home/home-page.tsx', guest: [BEST, BAND], user: [WHO, BEST, BAND] },
  {
    path: '/gallery',
    page: 'src/features/gallery/pages/gallery-page.tsx',
    guest: [NEWEST],
    user: [WHO, NEWEST],
  },
  {
    path: '/easy-app/:id',
    page: 'src/app/easy-app-page.tsx',
    guest: ['/api/public/workflow-api/:id'],
    user: [WHO, '/api/general/workflow-api/:id'],
  },
  post('/workflows/:id'),
  post('/basic-workflows/:id'),
]
