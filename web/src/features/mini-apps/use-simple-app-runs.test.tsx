import { screen, waitFor } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { user } from '@/shared/testing/factories'
import { FakeUpload } from '@/shared/testing/fake-upload'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { useSimpleAppRuns } from './use-simple-app-runs'

const mira = user()
const FIELDS = ['photo', 'face'].map((name) => ({ name, widget: 'image' }) as never)
const ADD = 'Add'
const file = (name: string) => new File(['x'], name, { type: 'image/png' })

/** Adds the face between the commit of the first upload's progress and its effects. */
function Swap() {
  const { state, setSlot } = useSimpleAppRuns({ address: 'face-swap', app: 'app-1', fields: FIELDS, user: mira })
  const [target, face] = state.slots
  const share = target ? state.pictures[target]?.share : undefined
  useLayoutEffect(() => {
    if (share === 0 && !face) setSlot(1, file('face.png'))
  })
  return (
    <button type="button" onClick={() => setSlot(0, file('target.png'))}>
      {ADD}
    </button>
  )
}

beforeEach(() => {
  FakeUpload.sent = []
  vi.stubGlobal('XMLHttpRequest', FakeUpload)
  URL.createObjectURL = (blob) => `blob:${blob instanceof File ? blob.name : ''}`
  URL.revokeObjectURL = () => undefined
})

it('uploads a picture that is added while the page shows the progress of another one', async () => {
  stubApi({})
  renderApp(<Swap />)
  ;(await screen.findByRole('button', { name: ADD })).click()
  await waitFor(() => expect(FakeUpload.sent).toHaveLength(2))
})
