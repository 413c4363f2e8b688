/** How long after a click another one at the same place is its second half. */
export const DOUBLE_CLICK_MS = 400
/** How far the pointer may move between both. */
const NEAR_PX = 8

type Click = { control: Element; x: number; y: number; at: number }

/**
 * The second half of a double click belongs to the control of the first half. If the first click closed a layer, opened
 * one or removed a row, another control is under the pointer by then: the second click is dropped. A form that was just
 * submitted is not submitted again: it may be empty by then and would report errors. A second click on the same control
 * passes; `useMutation` and `useToggle` decide whether it writes.
 */
export function guardDoubleClicks(page: Document = document): () => void {
  let last: Click | null = null
  let submitted = new WeakMap<EventTarget, number>()
  const drop = (event: Event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const click = (event: MouseEvent) => {
    // Clicks by keyboard or script have no position.
    if (event.detail === 0 || !(event.target instanceof Element)) return
    const { clientX: x, clientY: y, timeStamp: at } = event
    const control = controlOf(event.target)
    const isSecond = last !== null && at - last.at < DOUBLE_CLICK_MS && Math.hypot(x - last.x, y - last.y) <= NEAR_PX
    if (last && isSecond && last.control !== control) {
      last = { ...last, x, y, at }
      drop(event)
    } else {
      // A click elsewhere in between makes the next submit intentional.
      if (last?.control !== control) submitted = new WeakMap()
      last = { control, x, y, at }
    }
  }
  const submit = (event: SubmitEvent) => {
    const form = event.target
    if (!form) return
    const before = submitted.get(form)
    submitted.set(form, event.timeStamp)
    if (before !== undefined && event.timeStamp - before < DOUBLE_CLICK_MS) drop(event)
  }
  // So does typing.
  const type = (event: Event) => {
    const { form } = event.target as HTMLInputElement
    if (form) submitted.delete(form)
  }
  // A key between two clicks makes them two, such as the Escape that closes what the first one opened.
  const key = () => {
    last = null
  }
  page.addEventListener('click', click, true)
  page.addEventListener('keydown', key, true)
  page.addEventListener('input', type, true)
  page.addEventListener('submit', submit, true)
  return () => {
    page.removeEventListener('click', click, true)
    page.removeEventListener('keydown', key, true)
    page.removeEventListener('input', type, true)
    page.removeEventListener('submit', submit, true)
  }
}

/** The control that a click activates: a button for its parts, an input for its label. */
function controlOf(target: Element): Element {
  const control = target.closest('button, a, label, summary, select, [role=menuitem], [role=option]') ?? target
  return (control instanceof HTMLLabelElement && control.control) || control
}
