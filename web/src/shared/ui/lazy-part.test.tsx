import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ComponentType, Suspense, useState } from 'react'
import { expect, it, vi } from 'vitest'
import { checkConnection } from '@/shared/api/connection'
import { chunk } from '@/shared/lib/chunk'
import { renderApp } from '@/shared/testing/render'
import { DialogLoadError } from './dialog-load-error'
import { lazyPart } from './lazy-part'
import { type LoadErrorProps, PartLoadError, SilentRetry } from './load-error'

const LOST = 'This part could not be loaded'

/** A part whose code fails to load until `arrive` is called. */
function lostPart(Lost: ComponentType<LoadErrorProps<{ onClose: () => void }>> = PartLoadError) {
  let arrived = false
  const Part = lazyPart(
    chunk(async () => {
      if (!arrived) throw new TypeError('Importing a module script failed.')
      return { default: (_: { onClose: () => void }) => <p>{'the part'}</p> }
    }),
    Lost,
  )
  return { Part, arrive: () => (arrived = true) }
}

let answered = true
const server = () =>
  vi.stubGlobal('fetch', () => (answered ? Promise.resolve(new Response()) : Promise.reject(new TypeError('no'))))
const go = async (state: 'away' | 'back') => {
  answered = state === 'back'
  await act(() => checkConnection())
}

it('a failed part shows an error within the page and loads on click', async () => {
  server()
  const { Part, arrive } = lostPart()
  renderApp(
    <>
      <h1>{'the rest'}</h1>
      <Suspense>
        <Part onClose={() => undefined} />
      </Suspense>
    </>,
  )
  await screen.findByText(LOST)
  expect(screen.getByText('the rest')).toBeTruthy()
  arrive()
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  await screen.findByText('the part')
  expect(screen.queryByText(LOST)).toBeNull()
})

it('a part that failed on one page is loaded again by the next', async () => {
  server()
  const { Part, arrive } = lostPart()
  const page = () => (
    <Suspense>
      <Part onClose={() => undefined} />
    </Suspense>
  )
  const first = renderApp(page())
  await screen.findByText(LOST)
  first.unmount()
  arrive()
  renderApp(page())
  await screen.findByText('the part')
})

it.each([
  ['says why and', PartLoadError],
  ['is left out and', SilentRetry],
])('a part that failed offline %s loads when the server is back', async (_, Lost) => {
  server()
  const { Part, arrive } = lostPart(Lost)
  await go('away')
  renderApp(
    <Suspense>
      <Part onClose={() => undefined} />
    </Suspense>,
  )
  if (Lost === PartLoadError) await screen.findByText(/Loading continues when the connection is back/)
  else expect(screen.queryByText(LOST)).toBeNull()
  arrive()
  await go('back')
  await screen.findByText('the part')
})

it('an error thrown by a part reaches the boundary around it', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const Broken = lazyPart(
    chunk(async () => ({
      default: (): never => {
        throw new Error('x is undefined')
      },
    })),
  )
  renderApp(
    <Suspense>
      <Broken />
    </Suspense>,
  )
  await screen.findAllByText(/x is undefined/)
  expect(screen.queryByText(LOST)).toBeNull()
  errors.mockRestore()
})

it('a failed dialog shows an error dialog that closes', async () => {
  server()
  const { Part } = lostPart(DialogLoadError)
  function Page() {
    const [open, setOpen] = useState(true)
    return <Suspense>{open && <Part onClose={() => setOpen(false)} />}</Suspense>
  }
  renderApp(<Page />)
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain(LOST)
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await vi.waitFor(() => expect(screen.queryByText(LOST)).toBeNull())
})
