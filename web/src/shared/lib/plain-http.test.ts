import { afterEach, expect, test, vi } from 'vitest'
import { copyText } from './clipboard'
import { randomId } from './random-id'

afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(document, 'execCommand')
})

test('plain HTTP pages can create ids', () => {
  const { getRandomValues } = crypto
  vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(crypto) })
  const ids = new Set(Array.from({ length: 50 }, randomId))
  expect(ids.size).toBe(50)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
})

test('plain HTTP pages can copy a text and keep the focus', async () => {
  vi.stubGlobal('navigator', { clipboard: undefined })
  const button = document.body.appendChild(document.createElement('button'))
  button.focus()
  let copied = ''
  document.execCommand = () => {
    copied = (document.activeElement as HTMLTextAreaElement).value
    return true
  }
  await copyText('job-1')
  expect(copied).toBe('job-1')
  expect(document.activeElement).toBe(button)
  expect(document.querySelector('textarea')).toBeNull()
  document.execCommand = () => false
  await expect(copyText('job-1')).rejects.toThrow()
  button.remove()
})
