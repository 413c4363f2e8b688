/** Cells that a spreadsheet would run as a formula. A leading quote makes them plain text. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@|%＝＋－＠]/u
const NUMBER = /^-?\d+(?:\.\d+)?$/

function cell(value: string): string {
  const safe = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A CSV file that spreadsheets open in any alphabet and run no formula from. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
