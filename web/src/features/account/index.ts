import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'
export const ProfileEditor = lazyPart(chunk(() => import('./components/profile-editor')))
