import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'
/** The person's own picture and name, to be changed; its code comes when somebody wants to. */
export const WhoEditor = lazyPart(
  chunk(
    () => import('./components/who-editor'),
    (module) => ({ default: module.WhoEditor }),
  ),
)
