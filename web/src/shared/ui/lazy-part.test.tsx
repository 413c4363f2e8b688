import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ComponentType, Suspense, useState } from 'react'
import { expect, it, vi } from 'vitest'
import { askConnection } from '@/shared/api/connection'
import { chunk } from '@/shared/lib/chunk'
import { renderApp } from '@/shared/testing/render'
import { Dialog } from './dialog'
import { DialogLost } from './dialog-lost'
import { lazyPart } from './lazy-part'
import { type LostProps, PartLeftOut, PartLost } from './part-lost'

const LOST = 'This part could not be loaded'

/** A part whose code does not come until `arrive` is called. */
function lostPart(Lost: ComponentType<LostProps<{ onClose: () => void }>> = PartLost) {
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
  await act(() => askConnection())
}

it('a part whose code did not arrive says so, beside the rest of the page, and loads it at a press', async () => {
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

it('a part that was lost on one page is loaded again by the next one', async () => {
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
  ['says why and', PartLost],
  ['is left out and', PartLeftOut],
])('a part that was lost with the connection %s comes by itself when the server is back', async (_, Lost) => {
  server()
  const { Part, arrive } = lostPart(Lost)
  await go('away')
  renderApp(
    <Suspense>
      <Part onClose={() => undefined} />
    </Suspense>,
  )
  if (Lost === PartLost) await screen.findByText(/Loading continues when the connection is back/)
  else expect(screen.queryByText(LOST)).toBeNull()
  arrive()
  await go('back')
  await screen.findByText('the part')
})

it('an error of the part itself goes to the boundary around it', async () => {
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

it('a dialog whose code did not arrive is a dialog that says so, and closes', async () => {
  server()
  const { Part } = lostPart(DialogLost)
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

it('a dialog is shown without the code that draws dialogs', async () => {
  server()
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }
  await go('away')
  const close = vi.fn()
  const { container } = renderApp(
    <Dialog open onClose={close} title="A question">
      <p>{'the words'}</p>
    </Dialog>,
  )
  await screen.findByText('the words')
  // Another test may have loaded that code before.
  if (container.querySelector('dialog')) expect(screen.getByText('A question')).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  expect(close).toHaveBeenCalled()
})
