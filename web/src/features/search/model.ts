import type { Found, Workflow } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'

export type HitKind = 'workflows' | 'pictures' | 'people'

/** One line of what was found: where it leads, what it is called, and its picture. */
export type Hit = { kind: HitKind; id: string; to: string; title: string; picture: string | null }

/**
 * What was found as lines, in the order in which they stand. `nameOf` names people who have left, too; `wordsOf` says
 * what a workflow is called in the language of the page.
 */
export function hitsOf(
  found: Found,
  nameOf: (person: { name: string }) => string,
  pictureBy: (name: string) => string,
  wordsOf: (workflow: Workflow) => { name: string },
): Hit[] {
  return [
    ...found.workflows.map(
      (one): Hit => ({
        kind: 'workflows',
        id: one._id,
        to: one.workflowApi ? paths.miniApp(one.workflowApi) : paths.workflow(one._id),
        title: wordsOf(one).name,
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

/** The place of the line that the arrows lead to; -1 is the field itself. Round and round. */
export const moved = (at: number, by: 1 | -1, count: number): number => {
  if (count === 0) return -1
  const next = at + by
  return next >= count ? -1 : next < -1 ? count - 1 : next
}
