import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import ReportForm from './report-form'

const REPORT = 'POST /api/general/report'

function show(answer: Parameters<typeof stubApi>[0][string]) {
  const requests = stubApi({ [REPORT]: answer })
  const onClose = vi.fn()
  renderApp(<ReportForm kind="Comment" id="comment-1" onClose={onClose} />)
  return { requests, onClose }
}

const send = () => userEvent.click(screen.getByRole('button', { name: 'Send report' }))

describe('the report form', () => {
  it('requires a reason, or text if no reason fits', async () => {
    const { requests, onClose } = show({ status: 201, body: {} })
    await send()
    expect(screen.getByRole('alert').textContent).toBe('Choose a reason.')
    await userEvent.click(screen.getByLabelText(/Something else/))
    await send()
    expect(screen.getByRole('alert').textContent).toBe('Tell us in a few words what is wrong.')
    expect(requests).toHaveLength(0)
    await userEvent.type(screen.getByLabelText('What is wrong with it?'), ' It is a copy ')
    await send()
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(requests[0]?.body).toEqual({ kind: 'Comment', id: 'comment-1', reason: 'Other', text: 'It is a copy' })
    expect(await screen.findByText('Thank you for your report')).toBeTruthy()
  })

  it('stays open and says so when it is refused', async () => {
    const body = { code: 'REPORT_OWN', message: 'own content cannot be reported' }
    const { onClose } = show({ status: 422, body })
    await userEvent.click(screen.getByLabelText(/Spam or advertising/))
    await send()
    expect((await screen.findByRole('alert')).textContent).toBe('This is your own. Delete it instead of reporting it.')
    expect(onClose).not.toHaveBeenCalled()
  })

  it('tells banned users until when and why', async () => {
    const details = { until: null, reason: 'spam' }
    show({ status: 403, body: { code: 'ACCOUNT_BANNED', message: 'this account is banned: spam', details } })
    await userEvent.click(screen.getByLabelText(/Hate or harassment/))
    await send()
    expect((await screen.findByRole('alert')).textContent).toBe('Your account is banned permanently. Reason: spam')
  })
})
