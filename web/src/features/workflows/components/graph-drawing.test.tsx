import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { WorkflowGraph } from '@/shared/api/types'
import { renderApp } from '@/shared/testing/render'
import GraphDrawing from './graph-drawing'

const show = (graph: WorkflowGraph) => renderApp(<GraphDrawing graph={graph} name="Fox" />)

describe('a drawing of a graph', () => {
  it('marks disabled nodes', () => {
    const nodes = [
      { id: 1, type: 'A', mode: 2, size: [400, 80] },
      { id: 2, type: 'B', mode: 4, size: [400, 80] },
      { id: 3, type: 'C', mode: 0, size: [400, 80] },
    ]
    show({ workflow: { nodes }, output: null })
    for (const title of ['A (muted)', 'B (bypassed)', 'C']) expect(screen.getByText(title)).toBeTruthy()
  })

  it('says what it leaves out, and which nodes no server has', () => {
    const nodes = Array.from({ length: 401 }, (_, id) => ({ id, type: 'A' }))
    show({ workflow: { nodes }, output: null, missingNodes: ['WildText', 'Gone'] })
    expect(screen.getByText('Only the first 400 of 401 nodes are shown.')).toBeTruthy()
    expect(screen.getByText(/No connected worker has these nodes: WildText, Gone/)).toBeTruthy()
  })
})
