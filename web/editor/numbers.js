// JSON with the numbers' texts. A browser reads 1.0 as 1 and rounds integers above 2^53; ComfyUI also writes NaN. This
// reads a graph together with the texts that would be lost, and writes them back where the value is unchanged.
//
// Licence: GPL-3.0-only (LICENSE.txt).

const TOKEN =
  /\s*("[^"\\]*(?:\\.[^"\\]*)*"|-?(?:Infinity|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|NaN|true|false|null|[{}[\],:])/y

/** The value of a number's text. Numbers that JSON does not have are null, as the front end reads them. */
const numberOf = (text) => (/^(NaN|-?Infinity)$/.test(text) ? null : Number(text))

/** The parts of paths for a list's elements: their ids, because the order of nodes and links may change. */
function partsOf(list) {
  const known = new Set()
  return list.map((element, index) => {
    const id = typeof element === 'object' && element !== null ? element.id : undefined
    if (!['string', 'number'].includes(typeof id) || known.has(String(id))) return String(index)
    known.add(String(id))
    return `#${id}`
  })
}

const joined = (path, part) => `${path}\n${part}`

/** Reads JSON: the value, and the texts of numbers that JavaScript writes differently, by path. */
export function parse(text) {
  let at = 0
  const next = () => {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)
    if (!found) throw new SyntaxError(`this is not JSON at character ${at}`)
    at = TOKEN.lastIndex
    return found[1]
  }
  const expect = (wanted) => {
    if (next() !== wanted) throw new SyntaxError(`this is not JSON: ${wanted} is missing before character ${at}`)
  }
  const isAfter = (end) => {
    const token = next()
    if (token === end) return true
    if (token !== ',') throw new SyntaxError(`this is not JSON: a comma is missing before character ${at}`)
    return false
  }
  const peek = () => {
    const before = at
    const token = next()
    at = before
    return token
  }
  const lift = (into, texts, part) => {
    for (const [path, number] of texts) into.set(`\n${part}${path}`, number)
  }
  function value() {
    const token = next()
    if (token === '{') return object()
    if (token === '[') return array()
    if (/^[}\],:]$/.test(token)) throw new SyntaxError(`this is not JSON before character ${at}`)
    if (!/^[-\dNI]/.test(token)) return { value: JSON.parse(token), texts: new Map() }
    const number = numberOf(token)
    const isLost = number === null || Object.is(number, -0) || String(number) !== token
    return { value: number, texts: new Map(isLost ? [['', token]] : []) }
  }
  function object() {
    const [made, texts] = [{}, new Map()]
    if (peek() === '}') {
      next()
      return { value: made, texts }
    }
    do {
      const key = JSON.parse(next())
      if (typeof key !== 'string') throw new SyntaxError(`this is not JSON: a name is missing before character ${at}`)
      expect(':')
      const member = value()
      Object.defineProperty(made, key, { value: member.value, enumerable: true, writable: true, configurable: true })
      lift(texts, member.texts, key)
    } while (!isAfter('}'))
    return { value: made, texts }
  }
  function array() {
    const [elements, texts] = [[], new Map()]
    if (peek() === ']') next()
    else
      do elements.push(value())
      while (!isAfter(']'))
    const made = elements.map((element) => element.value)
    for (const [index, part] of partsOf(made).entries()) lift(texts, elements[index].texts, part)
    return { value: made, texts }
  }
  const whole = value()
  if (text.slice(at).trim() !== '') throw new SyntaxError(`this is not JSON after character ${at}`)
  return whole
}

/** The part of a parsed value below these keys, with its texts. */
export function below({ value, texts }, ...keys) {
  const prefix = keys.map((key) => `\n${key}`).join('')
  const own = new Map()
  for (const [path, text] of texts) {
    if (path.startsWith(`${prefix}\n`) || path === prefix) own.set(path.slice(prefix.length), text)
  }
  return { value: keys.reduce((found, key) => found?.[key], value), texts: own }
}

/** A part of a value that is JSON text already. */
export class JsonText {
  constructor(text) {
    this.text = text
  }
}

/** Writes JSON. `textOf(number, path)` may give the text of a number, or of a null. */
export function write(value, textOf) {
  const written = (one, path) => {
    if (typeof one === 'number' || one === null) return textOf(one, path) ?? JSON.stringify(one)
    if (typeof one !== 'object') return JSON.stringify(one) ?? 'null'
    if (one instanceof JsonText) return one.text
    if (typeof one.toJSON === 'function') return written(one.toJSON(), path)
    if (Array.isArray(one)) {
      const parts = partsOf(one)
      return `[${one.map((element, index) => written(element, joined(path, parts[index]))).join(',')}]`
    }
    const members = Object.entries(one).filter(([, member]) => member !== undefined && typeof member !== 'function')
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${written(member, joined(path, key))}`).join(',')}}`
  }
  return written(value, '')
}

/** The text of a number that has not changed since it was read. */
export const unchanged = (texts) => (value, path) => {
  const text = texts.get(path)
  return text !== undefined && Object.is(numberOf(text), value) ? text : undefined
}

/** Texts of integers that JavaScript rounds, by node id and value: a prompt has them at other places than its graph. */
export function roundedByNode(texts) {
  const found = new Map()
  for (const [path, text] of texts) {
    const node = nodeOf(path)
    if (node === undefined || Number.isSafeInteger(Number(text)) || !/^-?\d+$/.test(text)) continue
    if (!found.has(node)) found.set(node, new Map())
    found.get(node).set(Number(text), text)
  }
  return found
}

/** The node of a path in a graph or a prompt. A prompt names it after the subgraph nodes that it is in. */
function nodeOf(path) {
  const graph = /^(?:\ndefinitions\nsubgraphs\n[^\n]+)?\nnodes\n#([^\n]+)\n/.exec(path)
  return (graph ?? /^\n([^\n]+)\ninputs\n/.exec(path))?.[1].split(':').at(-1)
}

/** The text of an integer that JavaScript rounds, as its node has it. */
export const roundedOf = (rounded) => (value, path) =>
  typeof value === 'number' && !Number.isSafeInteger(value) ? rounded?.get(nodeOf(path))?.get(value) : undefined
