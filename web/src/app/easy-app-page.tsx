import { Comments } from '@/features/comments'
import MiniAppPage from '@/features/mini-apps/pages/mini-app-page'
import { PostFacts } from '@/features/workflows'

export default function EasyAppPage() {
  return (
    <MiniAppPage
      facts={({ _id }) => <PostFacts id={_id} />}
      below={({ _id, user }) => <Comments post={{ kind: 'workflow', id: _id }} postAuthor={user?._id} />}
    />
  )
}
