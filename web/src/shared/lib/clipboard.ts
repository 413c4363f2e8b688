/** Copies a text to the clipboard. Pages on plain HTTP have no clipboard API; there the browser copies a selection. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  const focused = document.activeElement
  // A dialog takes the focus back from elements outside of it.
  const place = focused?.closest('[role=dialog], dialog') ?? document.body
  place.append(field)
  field.focus({ preventScroll: true })
  field.select()
  try {
    if (!document.execCommand('copy')) throw new Error('the browser refused to copy')
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
