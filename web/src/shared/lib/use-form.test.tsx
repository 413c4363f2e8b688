import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { TextField } from '@/shared/ui/field'
import { useForm } from './use-form'

function Place({ send, refusal }: { send: (values: object) => void; refusal?: Error }) {
  const [error, setError] = useState<Error | null>(null)
  const form = useForm({
    start: { street: '', town: '' },
    check: ({ town }) => ({ town: town ? undefined : 'a town is needed' }),
    send: (values) => {
      send(values)
      setError(refusal ?? null)
    },
    error,
    refused: (given) => (given === refusal && refusal?.message === 'street' ? { street: 'no such street' } : {}),
  })
  return (
    <form {...form.form}>
      <TextField label="Street" {...form.field('street')} />
      <TextField label="Town" {...form.field('town')} />
      <button type="submit">{'Send'}</button>
      {form.refusal instanceof Error && <p>{form.refusal.message}</p>}
    </form>
  )
}

const press = () => userEvent.click(screen.getByRole('button', { name: 'Send' }))

it('errors show after the first submit, get the focus, and disappear when fixed', async () => {
  const send = vi.fn()
  renderApp(<Place send={send} />)
  expect(screen.queryByText('a town is needed')).toBeNull()
  await press()
  expect(send).not.toHaveBeenCalled()
  const town = screen.getByLabelText('Town')
  expect(document.activeElement).toBe(town)
  expect(screen.getByText('a town is needed')).toBeTruthy()
  await userEvent.type(town, 'Ulm')
  expect(screen.queryByText('a town is needed')).toBeNull()
  await press()
  expect(send).toHaveBeenCalledExactlyOnceWith({ street: '', town: 'Ulm' })
})

it('a refusal shows at its field and focuses it until the next change', async () => {
  renderApp(<Place send={() => undefined} refusal={new Error('street')} />)
  await userEvent.type(screen.getByLabelText('Town'), 'Ulm')
  await press()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Street')))
  expect(screen.getByText('no such street')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Town'), '!')
  expect(screen.queryByText('no such street')).toBeNull()
  expect(document.activeElement).toBe(screen.getByLabelText('Town'))
})

it('a refusal without a field belongs to the form', async () => {
  renderApp(<Place send={() => undefined} refusal={new Error('closed today')} />)
  await userEvent.type(screen.getByLabelText('Town'), 'Ulm')
  await press()
  expect(await screen.findByText('closed today')).toBeTruthy()
})
