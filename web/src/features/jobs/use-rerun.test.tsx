import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { closeModals, useModal } from '@/shared/ui/modals'
import { useRerun } from './use-rerun'

const AGAIN = 'POST /api/general/job/p/again'

function Page() {
  const { start } = useRerun('p', (message) => `Not run again: ${message}`)
  const isOpen = useModal('noCredit') !== undefined
  return (
    <>
      <button type="button" onClick={start}>
        {'Again'}
      </button>
      {isOpen && <p>{'the prompt is open'}</p>}
    </>
  )
}

afterEach(closeModals)

describe('a run that is repeated', () => {
  it('opens the prompt of plans without credits', async () => {
    stubApi({ [AGAIN]: { status: 402, body: { code: 'OUT_OF_CREDITS', message: 'no' } } })
    renderApp(<Page />)
    await userEvent.click(screen.getByRole('button', { name: 'Again' }))
    expect(await screen.findByText('the prompt is open')).toBeTruthy()
    expect(screen.queryByText(/Not run again/)).toBeNull()
  })

  it('says why it was refused otherwise', async () => {
    stubApi({ [AGAIN]: { status: 400, body: { code: 'VALIDATION_FAILED', message: 'a file was deleted' } } })
    renderApp(<Page />)
    await userEvent.click(screen.getByRole('button', { name: 'Again' }))
    expect((await screen.findAllByText(/Not run again/)).length).toBeGreaterThan(0)
    expect(screen.queryByText('the prompt is open')).toBeNull()
  })
})
