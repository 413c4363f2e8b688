import buttons from './button.module.css'

const LIST = '.ant-notification-top .ant-notification-list-content'
/** What notices must not cover: what a page is, and what one does there. */
const KEPT = `h1, .${buttons.primary}`
const DIALOG = '.ant-modal-wrap .ant-modal'
const DIALOG_KEPT = '.ant-modal-title, .ant-modal-close'
const GAP = 8
/** Of the window, from above: what begins further down is not in the way of notices, and does not move for them. */
const TOP = 0.5

type Box = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>

/** How far a page goes down so that none of `kept` lies under the notices. */
export function roomFor(notices: Box, kept: Box[], height: number): number {
  const isUnder = (box: Box) =>
    box.left < notices.right &&
    box.right > notices.left &&
    box.top < notices.bottom + GAP &&
    box.bottom > notices.top &&
    box.top < height * TOP
  const under = kept.filter(isUnder)
  return under.length ? Math.ceil(notices.bottom + GAP - Math.min(...under.map((box) => box.top))) : 0
}

/**
 * While notices are shown above a page or a dialog that stands at its beginning, it makes room where its title or its
 * first button would lie under them. Short notices need none. Who has scrolled reads on: nothing moves under them.
 */
export function keepRoom(): () => void {
  let seen: Element | null = null
  let frame = 0
  const sizes = new ResizeObserver(() => later())
  const nodes = new MutationObserver(() => {
    const list = document.querySelector(LIST)
    if (!list && !seen) return
    if (list !== seen) {
      sizes.disconnect()
      if (list) sizes.observe(list)
      seen = list
    }
    later()
  })
  function later() {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(makeRoom)
  }
  nodes.observe(document.body, { childList: true, subtree: true })
  return () => {
    nodes.disconnect()
    sizes.disconnect()
    cancelAnimationFrame(frame)
  }
}

function makeRoom(): void {
  const list = document.querySelector<HTMLElement>(LIST)
  let notices: Box | null = null
  if (list?.firstElementChild) {
    const { top, left, right } = list.getBoundingClientRect()
    notices = { top, left, right, bottom: top + list.offsetHeight }
  }
  for (const dialog of document.querySelectorAll<HTMLElement>(DIALOG)) moveDialog(dialog, notices)
  movePage(notices)
}

/** A dialog goes down as a whole, so that its title and the way to close it stay in sight. */
function moveDialog(dialog: HTMLElement, notices: Box | null): void {
  const before = Number.parseFloat(dialog.style.top) || 0
  const scrolled = dialog.closest('.ant-modal-wrap')?.scrollTop ?? 0
  const kept = [...dialog.querySelectorAll<HTMLElement>(DIALOG_KEPT)].map((one) => placeOf(one, before))
  const room = notices && scrolled === 0 ? roomFor(notices, kept, window.innerHeight) : 0
  const top = room ? `${room}px` : ''
  if (top !== dialog.style.top) dialog.style.top = top
}

/** Where something stands once its dialog is open: while that opens it is drawn smaller than it is. */
function placeOf(one: HTMLElement, before: number): Box {
  let [left, top] = [0, -before]
  for (let at: HTMLElement | null = one; at; at = at.offsetParent as HTMLElement | null) {
    left += at.offsetLeft
    top += at.offsetTop
  }
  return { left, top, right: left + one.offsetWidth, bottom: top + one.offsetHeight }
}

function movePage(notices: Box | null): void {
  const page = document.getElementById('content')
  if (!page) return
  // As it is drawn: without motion a change takes a millisecond all the same.
  const before = Number.parseFloat(getComputedStyle(page).paddingTop) || 0
  let room = 0
  if (notices && window.scrollY === 0) {
    const kept = [...page.querySelectorAll(KEPT)].map((one) => {
      // Of a title, as far as its words reach.
      const words = document.createRange()
      words.selectNodeContents(one)
      const { top, bottom, left, right } = (one.tagName === 'H1' ? words : one).getBoundingClientRect()
      return { top: top - before, bottom: bottom - before, left, right }
    })
    room = roomFor(notices, kept, window.innerHeight)
  }
  const padding = room ? `${room}px` : ''
  if (padding !== page.style.paddingTop) page.style.paddingTop = padding
}
