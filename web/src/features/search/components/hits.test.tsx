import { useQuery } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { expect, it } from 'vitest'
import { workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { searchQuery } from '../api'
import Hits from './hits'

const found = { workflows: [workflow({ name: 'Folded Silk' })], pictures: [], people: [] }

it('tells the field its lines before an arrow key can choose among them', async () => {
  stubApi({ 'GET /api/public/search': { body: found } })
  let known = 0
  let knownAtFirst: number | undefined
  const onHits = (hits: unknown[]) => {
    known = hits.length
  }
  /** Is in the commit of the lines, and looks before the effects that a key may come before. */
  function Key() {
    useQuery(searchQuery('silk'))
    useLayoutEffect(() => {
      if (document.querySelector('[role=option]')) knownAtFirst ??= known
    })
    return null
  }
  const page = (
    <>
      <Hits id="list" text="silk" at={-1} onHits={onHits} onGo={() => undefined} />
      <Key />
    </>
  )
  renderApp(page)
  await screen.findByRole('option', { name: 'Folded Silk' })
  expect(knownAtFirst).toBe(1)
})
