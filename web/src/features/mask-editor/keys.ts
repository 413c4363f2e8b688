/** Keys by their place on the keyboard, for keyboards that write no Latin letters. */
const PLACES: Record<string, string> = { BracketLeft: '[', BracketRight: ']', Space: ' ' }

/** The name of a pressed key: what it writes if that is a letter or a sign of ours, else its place. */
export function keyName({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  if (/^[\x20-\x7e]$/.test(key)) return key.toLowerCase()
  return PLACES[code] ?? (/^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key)
}

/** Whether Ctrl or Cmd is held. AltGr, which writes brackets on some keyboards, counts as neither. */
export const isCommand = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && !event.getModifierState('AltGraph')
