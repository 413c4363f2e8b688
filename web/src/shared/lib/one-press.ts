/** How long after a press another one at the same place is its second half. */
const QUIET_MS = 400
/** How far the hand moves between both. */
const NEAR_PX = 8

type Hit = { on: Element; x: number; y: number; at: number }

/**
 * The second half of a double press belongs to what the first half hit. Where the first one closed a layer, opened one,
 * or took a line out of a list, something else lies under the finger by then: it is not pressed. And a form that was
 * sent a moment ago is not sent again: it may be empty by then, and would complain.
 */
export function watchPresses(page: Document = document): () => void {
  let last: Hit | null = null
  let sent = new WeakMap<EventTarget, number>()
  const drop = (event: Event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const press = (event: MouseEvent) => {
    // Keys and programs press without a place.
    if (event.detail === 0 || !(event.target instanceof Element)) return
    const { clientX: x, clientY: y, timeStamp: at } = event
    const on = pressed(event.target)
    const again = last !== null && at - last.at < QUIET_MS && Math.hypot(x - last.x, y - last.y) <= NEAR_PX
    if (again && last?.on !== on) {
      last = { on: (last as Hit).on, x, y, at }
      drop(event)
    } else {
      // Whoever has pressed something else since means another sending, too.
      if (last?.on !== on) sent = new WeakMap()
      last = { on, x, y, at }
    }
  }
  const submit = (event: SubmitEvent) => {
    const form = event.target
    if (!form) return
    const before = sent.get(form)
    sent.set(form, event.timeStamp)
    if (before !== undefined && event.timeStamp - before < QUIET_MS) drop(event)
  }
  // Whoever has typed since means another sending.
  const type = (event: Event) => {
    const { form } = event.target as HTMLInputElement
    if (form) sent.delete(form)
  }
  page.addEventListener('click', press, true)
  page.addEventListener('input', type, true)
  page.addEventListener('submit', submit, true)
  return () => {
    page.removeEventListener('click', press, true)
    page.removeEventListener('input', type, true)
    page.removeEventListener('submit', submit, true)
  }
}

/** What a press on this acts on: a button by any of its parts, a control by its label. */
function pressed(target: Element): Element {
  const on = target.closest('button, a, label, summary, select, [role=menuitem], [role=option]') ?? target
  return (on instanceof HTMLLabelElement && on.control) || on
}
