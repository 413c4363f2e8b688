/** A number as its file spells it. JavaScript would write `1.0` as `1`, and has no number for most large integers. */
export class NumberText {
  constructor(readonly text: string) {}

  toJSON(): string {
    return `${MARK}${this.text}`
  }
}

export const number = (text: string): NumberText => new NumberText(text)

export type Value =
  | null
  | boolean
  | number
  | string
  | NumberText
  | readonly Value[]
  | { readonly [key: string]: Value | undefined }

const MARK = 'number as written: '

/** JSON text with the numbers as they are spelled. */
export const jsonText = (value: Value): string =>
  JSON.stringify(value).replaceAll(new RegExp(`"${MARK}([^"]+)"`, 'g'), '$1')

/** Strings and numbers of a JSON text, as Python writes it too. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?(?:Infinity|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|NaN/g

/** The value of a JSON text in which each number is its text, so that `1.0` and `1` are different. */
export const exactValue = (text: string): unknown =>
  JSON.parse(text.replaceAll(TOKEN, (token) => (token.startsWith('"') ? token : JSON.stringify(`${MARK}${token}`))))
