import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { CopyButton } from './copy-button'

it.each([
  [{ text: 'job-1' }, 'Copied to job-1'],
  [{ text: 'x'.repeat(80) }, `Copied to ${'x'.repeat(60)}…`],
  [{ text: 'vg_secret', named: 'My laptop' }, 'Copied to My laptop'],
])('the toast names the copied text: %o', async (props, said) => {
  const person = userEvent.setup()
  renderApp(<CopyButton label="Copy" {...props} />)
  await person.click(screen.getByRole('button', { name: 'Copy' }))
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
  expect(await navigator.clipboard.readText()).toBe(props.text)
  expect(await screen.findByText(said)).toBeTruthy()
})
