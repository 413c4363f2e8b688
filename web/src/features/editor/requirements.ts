import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { GraphRequirements } from '@/shared/api/types'
import { parseExact } from '@/shared/lib/exact-json'
import type { GraphBridge } from '@/shared/lib/frame-bridge'
import { isRecord } from '@/shared/lib/is-record'
import { requirementsQuery } from './api'

/** No file name is longer. */
const MAX_NAME = 300

/** The parts of an input that may name a model file: texts with an ending, also inside lists and objects. */
function namesIn(value: unknown): unknown {
  if (typeof value === 'string') return value.length <= MAX_NAME && /^[^\n]*\.\w+$/.test(value) ? value : undefined
  // Entries of a list of models can be disabled.
  if (typeof value === 'boolean') return value
  if (Array.isArray(value)) {
    const names = value.map((item) => namesIn(item) ?? null)
    return names.some((name) => name !== null) ? names : undefined
  }
  if (!isRecord(value)) return undefined
  const names = Object.entries(value).map(([key, item]) => [key, namesIn(item)] as const)
  return Object.fromEntries(names.filter(([, name]) => name !== undefined))
}

/** What of a prompt decides about its requirements. */
export type RequiredPart = {
  /** The prompt with one node of each kind, as JSON text. Equal for graphs with equal requirements. */
  prompt: string
  /** By the id of that node: all nodes of its kind. */
  nodes: Map<string, string[]>
}

/** Reads the requirements of a prompt; null for one without nodes. */
export function requiredPart(prompt: string | null): RequiredPart | null {
  const graph = prompt === null ? null : parseExact(prompt)
  const kinds = new Map<string, string[]>()
  for (const [id, node] of Object.entries(isRecord(graph) ? graph : {})) {
    if (!isRecord(node) || typeof node.class_type !== 'string') continue
    const kind = JSON.stringify({ class_type: node.class_type, inputs: namesIn(node.inputs) ?? {} })
    kinds.set(kind, [...(kinds.get(kind) ?? []), id])
  }
  if (kinds.size === 0) return null
  const nodes = [...kinds].map(([kind, [first = '']]) => `${JSON.stringify(first)}:${kind}`)
  return {
    prompt: `{${nodes.join()}}`,
    nodes: new Map([...kinds.values()].map((ids) => [ids[0] ?? '', ids])),
  }
}

/** What is missing for the graph in the editor. Unknown until the editor has sent it, and while no worker is known. */
export function useRequirements(bridge: GraphBridge): GraphRequirements | undefined {
  const [part, setPart] = useState<RequiredPart | null>(null)
  useEffect(
    () =>
      bridge.listen((message) => {
        // The page asks for the graph when it opens and after each change.
        if (message.type === 'graph') setPart(requiredPart(message.prompt))
      }),
    [bridge],
  )
  const { data } = useQuery({ ...requirementsQuery(part?.prompt ?? '{}'), enabled: part !== null })
  return useMemo(
    () =>
      part && data
        ? {
            ...data,
            missing: data.missing.map((one) => ({
              ...one,
              nodes: one.nodes.flatMap((id) => part.nodes.get(id) ?? [id]),
            })),
          }
        : undefined,
    [part, data],
  )
}
