/** The id that a text consists of, in lower case; `undefined` if it is none. */
export const wholeId = (text: string): string | undefined =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text.trim()) ? text.trim().toLowerCase() : undefined
