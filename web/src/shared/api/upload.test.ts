import { beforeEach, expect, it, vi } from 'vitest'
import { asset } from '@/shared/testing/factories'
import { stubApi } from '@/shared/testing/stub-api'
import { uploadForText } from './upload'

/** A stand-in for XMLHttpRequest, which uploads use. */
class FakeRequest {
  status = 201
  responseText = JSON.stringify(asset({ _id: 'a1' }))
  upload = {}
  onload: (() => void) | null = null
  open() {}
  setRequestHeader() {}
  send() {
    this.onload?.()
  }
}

beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
})

it('a picture in a text stays private until the text is published', async () => {
  const requests = stubApi({ 'POST /api/general/input-asset': { status: 201, body: {} } })
  const uploaded = await uploadForText(new File(['x'], 'boat.png', { type: 'image/png' }))
  expect(uploaded._id).toBe('a1')
  expect(requests.map(({ body }) => body)).toEqual([{ asset: 'a1', isPrivate: true }])
})
