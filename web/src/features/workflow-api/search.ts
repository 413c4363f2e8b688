import Fuse from 'fuse.js'
import { inputsOf } from './model'
import type { EditorNode, InputEntry, OutputEntry } from './types'

/** How far a word may be from what is found: the specification's number. */
const THRESHOLD = 0.3

/** A node, and those of its inputs that are shown. */
export type Shown = { node: EditorNode; entries: InputEntry[] }

type Key<T> = { name: string; getFn: (item: T) => string }

/** What is alike in both is found however its letters are composed. */
function found<T>(list: T[], words: string, keys: Key<T>[]): T[] {
  const composed = keys.map(({ name, getFn }) => ({ name, getFn: (item: T) => getFn(item).normalize() }))
  const fuse = new Fuse(list, { threshold: THRESHOLD, ignoreLocation: true, keys: composed })
  return fuse.search(words.normalize()).map(({ item }) => item)
}

const nodeKeys = <T>(nodeOf: (item: T) => EditorNode | undefined) => [
  { name: 'title', getFn: (item: T) => nodeOf(item)?.title ?? '' },
  { name: 'display', getFn: (item: T) => nodeOf(item)?.display_name ?? '' },
  { name: 'class', getFn: (item: T) => nodeOf(item)?.name ?? '' },
]

/** Nodes that have something to choose, or are missing; with words those that they fit, by node or by input. */
export function searchInputs(nodes: EditorNode[], words: string): Shown[] {
  const all = nodes.map((node) => ({ node, entries: inputsOf(node) }))
  const shown = all.filter(({ node, entries }) => node.missing || entries.length > 0)
  if (!words) return shown
  const whole = new Set(
    found(
      shown,
      words,
      nodeKeys(({ node }) => node),
    ),
  )
  const single = new Set(
    found(
      shown.flatMap(({ entries }) => entries),
      words,
      [
        { name: 'name', getFn: ({ name }) => name.replaceAll('_', ' ') },
        { name: 'label', getFn: ({ adapter }) => adapter.name ?? '' },
      ],
    ),
  )
  return shown.flatMap((one) => {
    if (whole.has(one)) return [one]
    const entries = one.entries.filter((entry) => single.has(entry))
    return entries.length > 0 ? [{ ...one, entries }] : []
  })
}

/** The nodes that give something. */
export function searchOutputs(outputs: OutputEntry[], nodes: EditorNode[], words: string): OutputEntry[] {
  if (!words) return outputs
  const node = ({ id }: OutputEntry) => nodes.find((one) => one.id === id)
  return found(outputs, words, [...nodeKeys(node), { name: 'name', getFn: ({ name }) => name }])
}
