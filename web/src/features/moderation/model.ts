import type { CaseState, CaseVerdict, ModerationCaseDetail, ReportKind, ReportReason } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { freeText, oneOf, type ParamsOf, urlParams } from '@/shared/lib/url-params'

export const REASONS: ReportReason[] = ['Spam', 'Sexual', 'Violence', 'Hate', 'Copyright', 'Personal', 'Other']
export const KINDS: ReportKind[] = ['Workflow', 'OutputAsset', 'Comment', 'Asset']
export const STATES: CaseState[] = ['Open', 'Kept', 'Hidden', 'Deleted']
export const CASE_SORTS = ['newest', 'mostReported'] as const
/** Maximum characters of a report, a warning and a ban's reason. */
export const MAX_WORDS = 1000

type CaseSort = (typeof CASE_SORTS)[number]
export const QUEUE = urlParams(
  {
    state: oneOf<CaseState | 'All'>([...STATES, 'All'], 'Open'),
    kind: oneOf<ReportKind | 'All'>([...KINDS, 'All'], 'All'),
    sort: oneOf<CaseSort>(CASE_SORTS, 'newest'),
    case: freeText(),
  },
  'case',
)
export type CaseQuestion = ParamsOf<typeof QUEUE>

export const COMMENTS = urlParams({ keyword: freeText(), user: freeText() })
export type CommentQuestion = ParamsOf<typeof COMMENTS>

/** The possible decisions in each state, mildest first. */
export const VERDICTS: Record<CaseState, CaseVerdict[]> = {
  Open: ['Keep', 'Hide', 'Delete'],
  Kept: ['Hide', 'Delete'],
  Hidden: ['Restore', 'Delete'],
  Deleted: [],
}

/** The address of the reported content; `undefined` if it is deleted. */
export function contentPath(one: ModerationCaseDetail): string | undefined {
  if (!one.now) return undefined
  if (one.kind === 'Workflow') return paths.admin.workflow(one.target)
  if (one.kind === 'OutputAsset') return paths.admin.picture(one.target)
  return postOf(one)
}

export function postOf(comment: { workflow?: string | null; outputAsset?: string | null }): string | undefined {
  if (comment.workflow) return paths.admin.workflow(comment.workflow)
  return comment.outputAsset ? paths.admin.picture(comment.outputAsset) : undefined
}

/** In days; `good` has no end. */
export type BanLength = '1' | '7' | '30' | 'good'
export const BAN_LENGTHS: BanLength[] = ['1', '7', '30', 'good']
export type BanDraft = { length: BanLength; reason: string }
export const NO_BAN: BanDraft = { length: '7', reason: '' }

export const isComplete = (text: string): boolean => text.trim().length > 0 && text.trim().length <= MAX_WORDS

export const penalty = ({ length, reason }: BanDraft): { days?: number; reason: string } => ({
  ...(length !== 'good' && { days: Number(length) }),
  reason: reason.trim(),
})
