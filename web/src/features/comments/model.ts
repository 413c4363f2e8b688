import type { Comment, CommentPage, User } from '@/shared/api/types'
import { uniqueById } from '@/shared/lib/unique-by-id'
import { plainText } from '@/shared/ui/rich-text'

/** Maximum characters of text; the counter shows above this. */
export const MAX_CHARS = 580
export const PAGE = 20
export const REPLIES_PAGE = 10
/** Threads with fewer replies are open by default. */
const AUTO_OPEN_BELOW = 4

export type Post = { kind: 'workflow' | 'outputAsset'; id: string }
/** What a comment is added to: a post or another comment. */
export type Place = Post | { kind: 'parent'; id: string }

/** Visible characters: the text without tags, trimmed. */
export const characterCount = (html: string): number => [...plainText(html)].length

export const MAX_IMAGES = 4
const imagesOf = (html: string): number => html.match(/<img\s/gi)?.length ?? 0

/** Why a comment cannot be sent yet. An empty comment needs no message. */
type CommentProblem = 'pictureAlone' | 'tooManyPictures'
export function commentProblem(html: string): CommentProblem | undefined {
  if (imagesOf(html) > MAX_IMAGES) return 'tooManyPictures'
  return imagesOf(html) > 0 && characterCount(html) === 0 ? 'pictureAlone' : undefined
}

const isTooLong = (html: string): boolean => characterCount(html) > MAX_CHARS
export const isCounted = (html: string): boolean => characterCount(html) >= MAX_CHARS
export const canSend = (html: string): boolean => characterCount(html) > 0 && !isTooLong(html) && !commentProblem(html)

export const opensByDefault = (comment: Comment): boolean =>
  comment.replyCount > 0 && comment.replyCount < AUTO_OPEN_BELOW

export const isOwn = (comment: Comment, user: User | null | undefined): boolean =>
  Boolean(user && comment.user?._id === user._id)

/** Operators are shown with the product's logo. */
export const isOperator = (person: { roles: string[] } | null | undefined): boolean =>
  person?.roles.includes('Admin') ?? false

/** A deleted comment has no author: it is a placeholder while it has replies, else hidden. */
export const isShown = (comment: Comment): boolean => comment.user != null || comment.replyCount > 0

/** Hidden by a moderator and sent without text; admins get the text and a mark. */
export const isHiddenFromReaders = (comment: Comment): boolean => comment.isHidden && comment.content === ''

export const isBelow = (comment: Comment, post: Post): boolean =>
  post.kind === 'workflow' ? comment.workflow === post.id : comment.outputAsset === post.id

/** The comment after a press: the same reaction again removes it, the other one replaces it. */
export function withReaction(comment: Comment, like: boolean): Comment {
  const before = comment.isLike ?? null
  const after = before === like ? null : like
  const change = (which: boolean) => Number(after === which) - Number(before === which)
  return {
    ...comment,
    isLike: after,
    likeCount: comment.likeCount + change(true),
    dislikeCount: comment.dislikeCount + change(false),
  }
}

export const asDeleted = (comment: Comment): Comment => ({ ...comment, user: null, content: '' })

export type Pages = { pages: CommentPage[]; pageParams: unknown[] }

export const uniqueComments = ({ pages }: { pages: CommentPage[] }): Comment[] =>
  uniqueById(pages.flatMap((page) => page.items).filter(isShown))

/** Adds a comment at the start or end of a list and counts it. */
export function withComment(pages: Pages, comment: Comment, at: 'start' | 'end'): Pages {
  const target = at === 'start' ? 0 : pages.pages.length - 1
  const put = (page: CommentPage, index: number) => ({
    ...page,
    commentCount: page.commentCount + 1,
    items: index !== target ? page.items : at === 'start' ? [comment, ...page.items] : [...page.items, comment],
  })
  return { ...pages, pages: pages.pages.map(put) }
}

export const counted = (pages: Pages, step: number): Pages => ({
  ...pages,
  pages: pages.pages.map((page) => ({ ...page, commentCount: page.commentCount + step })),
})

export function linkTo(id: string, location: Location = window.location): string {
  const url = new URL(location.pathname, location.origin)
  url.searchParams.set('comment', id)
  return url.href
}

const REFRESH_MS = 30_000
/** Lists with more loaded pages are not refetched. */
const REFRESHED_PAGES = 3

/** The refetch interval for a number of loaded pages; false for never. */
export const refreshAfter = (pages: number): number | false =>
  pages > 0 && pages <= REFRESHED_PAGES ? REFRESH_MS : false
