/** Characters that the server rejects in names: controls, invisible and direction marks, halves of surrogate pairs. */
const FORBIDDEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each stands for itself.
  /[\p{Cc}\p{Cs}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]/gu

/** The length of a text as the server counts it. */
export const characterCount = (text: string): number => [...text.normalize('NFC')].length

/**
 * Turns a text into a name that the server accepts: normalised, without forbidden characters, cut between graphemes.
 */
export function normalizeName(text: string, longest: number): string {
  const name = text.normalize('NFC').replace(FORBIDDEN, '').trim()
  if (characterCount(name) <= longest) return name
  let kept = ''
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(name)) {
    if (characterCount(kept + segment) > longest) break
    kept += segment
  }
  return kept.trim()
}
