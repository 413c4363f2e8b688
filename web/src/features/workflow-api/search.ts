import Fuse from 'fuse.js'
import { inputsOf } from './model'
import type { EditorNode, InputEntry, OutputEntry } from './types'

/** Fuzzy search threshold of the specification. */
const THRESHOLD = 0.3

/** A node and its matching inputs. */
export type SearchMatch = { node: EditorNode; entries: InputEntry[] }

type Key<T> = { name: string; getFn: (item: T) => string }

/** Normalizes Unicode, so that composed and decomposed letters match. */
function fuzzySearch<T>(list: T[], words: string, keys: Key<T>[]): T[] {
  const composed = keys.map(({ name, getFn }) => ({ name, getFn: (item: T) => getFn(item).normalize() }))
  const fuse = new Fuse(list, { threshold: THRESHOLD, ignoreLocation: true, keys: composed })
  return fuse.search(words.normalize()).map(({ item }) => item)
}

const nodeKeys = <T>(nodeOf: (item: T) => EditorNode | undefined) => [
  { name: 'title', getFn: (item: T) => nodeOf(item)?.title ?? '' },
  { name: 'display', getFn: (item: T) => nodeOf(item)?.display_name ?? '' },
  { name: 'class', getFn: (item: T) => nodeOf(item)?.name ?? '' },
]

/** Nodes with inputs, or that are missing; with a search those that match by node or input. */
export function searchInputs(nodes: EditorNode[], words: string): SearchMatch[] {
  const all = nodes.map((node) => ({ node, entries: inputsOf(node) }))
  const shown = all.filter(({ node, entries }) => node.missing || entries.length > 0)
  if (!words) return shown
  const whole = new Set(
    fuzzySearch(
      shown,
      words,
      nodeKeys(({ node }) => node),
    ),
  )
  const single = new Set(
    fuzzySearch(
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

export function searchOutputs(outputs: OutputEntry[], nodes: EditorNode[], words: string): OutputEntry[] {
  if (!words) return outputs
  const node = ({ id }: OutputEntry) => nodes.find((one) => one.id === id)
  return fuzzySearch(outputs, words, [...nodeKeys(node), { name: 'name', getFn: ({ name }) => name }])
}
