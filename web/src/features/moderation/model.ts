import type { CaseState, CaseVerdict, ModerationCaseDetail, ReportKind, ReportReason } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { type AskedOf, oneOf, question, words } from '@/shared/lib/question'

export const REASONS: ReportReason[] = ['Spam', 'Sexual', 'Violence', 'Hate', 'Copyright', 'Personal', 'Other']
export const KINDS: ReportKind[] = ['Workflow', 'OutputAsset', 'Comment', 'Asset']
export const STATES: CaseState[] = ['Open', 'Kept', 'Hidden', 'Deleted']
export const CASE_SORTS = ['newest', 'mostReported'] as const
/** Characters of a report's text, of a warning and of a ban's reason. */
export const MAX_WORDS = 1000

export type CaseSort = (typeof CASE_SORTS)[number]
/** What the queue shows; `All` leaves a thing open. */
export const QUEUE = question(
  {
    state: oneOf<CaseState | 'All'>([...STATES, 'All'], 'Open'),
    kind: oneOf<ReportKind | 'All'>([...KINDS, 'All'], 'All'),
    sort: oneOf<CaseSort>(CASE_SORTS, 'newest'),
    case: words(),
  },
  'case',
)
export type CaseQuestion = AskedOf<typeof QUEUE>

export const COMMENTS = question({ keyword: words(), user: words() })
export type CommentQuestion = AskedOf<typeof COMMENTS>

/** What can still be made of a case, the mildest first. */
export const VERDICTS: Record<CaseState, CaseVerdict[]> = {
  Open: ['Keep', 'Hide', 'Delete'],
  Kept: ['Hide', 'Delete'],
  Hidden: ['Restore', 'Delete'],
  Deleted: [],
}

/** Where the thing is looked at in its place; `undefined` where it is gone. */
export function placeOf(one: ModerationCaseDetail): string | undefined {
  if (!one.now) return undefined
  if (one.kind === 'Workflow') return paths.admin.workflow(one.target)
  if (one.kind === 'OutputAsset') return paths.admin.picture(one.target)
  return postOf(one)
}

/** The post that a comment stands below. */
export function postOf(comment: { workflow?: string | null; outputAsset?: string | null }): string | undefined {
  if (comment.workflow) return paths.admin.workflow(comment.workflow)
  return comment.outputAsset ? paths.admin.picture(comment.outputAsset) : undefined
}

/** How long a ban is; `good` has no end. */
export type BanLength = '1' | '7' | '30' | 'good'
export const BAN_LENGTHS: BanLength[] = ['1', '7', '30', 'good']
export type BanDraft = { length: BanLength; reason: string }
export const NO_BAN: BanDraft = { length: '7', reason: '' }

export const isComplete = (text: string): boolean => text.trim().length > 0 && text.trim().length <= MAX_WORDS

/** What the API is told of a ban. */
export const penalty = ({ length, reason }: BanDraft): { days?: number; reason: string } => ({
  ...(length !== 'good' && { days: Number(length) }),
  reason: reason.trim(),
})
