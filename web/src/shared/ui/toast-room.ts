import buttons from './button.module.css'

const LIST = '.ant-notification-top .ant-notification-list-content'
/** What notices must not cover: what a page is, and what one does there. */
const KEPT = `h1, .${buttons.primary}`
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
 * While notices are shown above a page that stands at its beginning, the page makes room where its title or its first
 * button would lie under them. Short notices need none. Who has scrolled reads on: nothing moves under them.
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
  const page = document.getElementById('content')
  if (!page) return
  // As it is drawn: without motion a change takes a millisecond all the same.
  const before = Number.parseFloat(getComputedStyle(page).paddingTop) || 0
  const list = document.querySelector<HTMLElement>(LIST)
  let room = 0
  if (list?.firstElementChild && window.scrollY === 0) {
    const { top, left, right } = list.getBoundingClientRect()
    const notices = { top, left, right, bottom: top + list.offsetHeight }
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
