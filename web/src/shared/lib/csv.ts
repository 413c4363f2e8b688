/** What a spreadsheet would take for a formula, and run: it is put behind a quote, which shows it as the text it is. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@|%＝＋－＠]/u
const NUMBER = /^-?\d+(?:\.\d+)?$/

function cell(value: string): string {
  const safe = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A table as a file that spreadsheets open, in any alphabet, and in which no value is run as a formula. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
