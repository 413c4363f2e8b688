import type { SearchResults, Workflow } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'

export type HitKind = 'workflows' | 'pictures' | 'people'

export type Hit = { kind: HitKind; id: string; to: string; title: string; picture: string | null }

/**
 * The results as lines in display order. `nameOf` also names deleted users; `translated` gives a workflow's title in the
 * language of the page.
 */
export function hitsOf(
  found: SearchResults,
  nameOf: (person: { name: string }) => string,
  pictureBy: (name: string) => string,
  translated: (workflow: Workflow) => { name: string },
): Hit[] {
  return [
    ...found.workflows.map(
      (one): Hit => ({
        kind: 'workflows',
        id: one._id,
        to: one.workflowApi ? paths.miniApp(one.workflowApi) : paths.workflow(one._id),
        title: translated(one).name,
        picture: one.cover?.thumbnailUrl ?? null,
      }),
    ),
    ...found.pictures.map(
      (one): Hit => ({
        kind: 'pictures',
        id: one._id,
        to: paths.picture(one._id),
        title: pictureBy(one.user ? nameOf(one.user) : ''),
        picture: one.kind === 'image' ? one.asset.thumbnailUrl : (one.asset.metadata?.videoPreviewImageUrl ?? null),
      }),
    ),
    ...found.people.map(
      (one): Hit => ({
        kind: 'people',
        id: one._id,
        to: paths.profile(one._id),
        title: nameOf(one),
        picture: one.profile?.thumbnailUrl ?? one.socialProfile ?? null,
      }),
    ),
  ]
}

/** The next active line; -1 is the field itself. Wraps around. */
export const moved = (at: number, by: 1 | -1, count: number): number => {
  if (count === 0) return -1
  const next = at + by
  return next >= count ? -1 : next < -1 ? count - 1 : next
}
