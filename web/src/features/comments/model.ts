import type { Comment, CommentPage, User } from '@/shared/api/types'
import { plainText } from '@/shared/ui/rich-text'

/** Characters of text; the counter is shown from here on. */
export const MAX_CHARS = 580
/** Comments on a page, and answers on one. */
export const PAGE = 20
export const REPLIES_PAGE = 10
/** Fewer answers than this stand open from the start. */
const AUTO_OPEN_BELOW = 4

/** What is commented on. */
export type Post = { kind: 'workflow' | 'outputAsset'; id: string }
/** Where a comment is written: below a post, or below another comment. */
export type Place = Post | { kind: 'parent'; id: string }

/** Characters as people count them: the text without its tags, trimmed. */
export const lengthOf = (html: string): number => [...plainText(html)].length

/** Pictures in one comment. */
export const MAX_IMAGES = 4
const imagesOf = (html: string): number => html.match(/<img\s/gi)?.length ?? 0

/** Why a comment cannot be sent yet, where that has to be said: an empty one says so by itself. */
export type Unsendable = 'pictureAlone' | 'tooManyPictures'
export function whyNot(html: string): Unsendable | undefined {
  if (imagesOf(html) > MAX_IMAGES) return 'tooManyPictures'
  return imagesOf(html) > 0 && lengthOf(html) === 0 ? 'pictureAlone' : undefined
}

export const isTooLong = (html: string): boolean => lengthOf(html) > MAX_CHARS
export const isCounted = (html: string): boolean => lengthOf(html) >= MAX_CHARS
export const maySend = (html: string): boolean => lengthOf(html) > 0 && !isTooLong(html) && !whyNot(html)

export const opensByItself = (comment: Comment): boolean =>
  comment.replyCount > 0 && comment.replyCount < AUTO_OPEN_BELOW

export const isOwn = (comment: Comment, user: User | null | undefined): boolean =>
  Boolean(user && comment.user?._id === user._id)

/** Operators are shown with the product's sign. */
export const isOperator = (person: { roles: string[] } | null | undefined): boolean =>
  person?.roles.includes('Admin') ?? false

/** Without an author a comment is deleted: a placeholder while there are answers, nothing otherwise. */
export const isShown = (comment: Comment): boolean => comment.user != null || comment.replyCount > 0

/** A moderator took it out of sight, and its words were not sent; admins have them, with a mark. */
export const isVeiled = (comment: Comment): boolean => comment.isHidden && comment.content === ''

export const isBelow = (comment: Comment, post: Post): boolean =>
  post.kind === 'workflow' ? comment.workflow === post.id : comment.outputAsset === post.id

/** A like or dislike as it will be: pressed again it is taken back, the other one is replaced. */
export function reacted(comment: Comment, like: boolean): Comment {
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

/** What is left of a comment that was deleted. */
export const emptied = (comment: Comment): Comment => ({ ...comment, user: null, content: '' })

export type Pages = { pages: CommentPage[]; pageParams: unknown[] }

/** Comments of all pages; one that moved onto the next page while it was loaded stands once. */
export function flat({ pages }: { pages: CommentPage[] }): Comment[] {
  const seen = new Set<string>()
  return pages
    .flatMap((page) => page.items)
    .filter((comment) => isShown(comment) && !seen.has(comment._id) && seen.add(comment._id))
}

/** Adds a comment to the first page's head or the last page's end, and counts it. */
export function added(pages: Pages, comment: Comment, at: 'start' | 'end'): Pages {
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

/** The address that leads to a comment. */
export function linkTo(id: string, location: Location = window.location): string {
  const url = new URL(location.pathname, location.origin)
  url.searchParams.set('comment', id)
  return url.href
}

const REFRESH_MS = 30_000
/** More pages than these are not asked for again and again. */
const REFRESHED_PAGES = 3

/** When a conversation with so many loaded pages is asked for again, while its page is looked at; false for never. */
export const refreshAfter = (pages: number): number | false =>
  pages > 0 && pages <= REFRESHED_PAGES ? REFRESH_MS : false
