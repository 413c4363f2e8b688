import MiniAppPage from '@/features/mini-apps/pages/mini-app-page'
import { PostFacts } from '@/features/workflows'

/** The page of a mini app, with what its workflow tells: as the detail, and without the detail's actions. */
export default function EasyAppPage() {
  return <MiniAppPage facts={(workflowId) => <PostFacts id={workflowId} />} />
}
