import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { useRun } from './api'

function RunForm() {
  const run = useRun()
  const [size, setSize] = useState(1)
  return (
    <>
      <button type="button" onClick={() => setSize((before) => before + 1)}>
        {'grow'}
      </button>
      <button type="button" onClick={() => run.mutate({ app: 'app-1', values: { size }, key: `key-${size}` })}>
        {'run'}
      </button>
    </>
  )
}

it('a changed form runs right after the previous run, and a double click runs once', async () => {
  const requests = stubApi({ 'POST /api/general/job/workflow-api/app-1': { status: 201, body: { _id: 'job-1' } } })
  const runs = () => requests.map(({ body }) => body)
  renderApp(<RunForm />)
  await userEvent.dblClick(screen.getByText('run'))
  await waitFor(() => expect(runs()).toEqual([{ size: 1 }]))
  await userEvent.click(screen.getByText('grow'))
  await userEvent.click(screen.getByText('run'))
  await waitFor(() => expect(runs()).toEqual([{ size: 1 }, { size: 2 }]))
})
