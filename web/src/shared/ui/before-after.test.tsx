import { fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { BeforeAfter } from './before-after'

it('the border moves, tells its place, and keeps its keys from what is around it', () => {
  const around = vi.fn()
  renderApp(
    // biome-ignore lint/a11y/noStaticElementInteractions: stands for a layer that steps by arrow keys.
    <div onKeyDown={around}>
      <BeforeAfter
        before={{ url: '/a.png', label: 'Input' }}
        after={{ url: '/b.png', label: 'Result' }}
        label="Compare"
        valueText={(percent) => `${percent}% of the input`}
      />
    </div>,
  )
  const slider = screen.getByRole('slider', { name: 'Compare' })
  expect(slider.getAttribute('aria-valuetext')).toBe('50% of the input')
  fireEvent.change(slider, { target: { value: '80' } })
  expect(slider.getAttribute('aria-valuetext')).toBe('80% of the input')
  expect(slider.parentElement?.style.getPropertyValue('--border')).toBe('80%')
  for (const key of ['ArrowLeft', 'Home', 'End']) fireEvent.keyDown(slider, { key })
  expect(around).not.toHaveBeenCalled()
  fireEvent.keyDown(slider, { key: 'Tab' })
  expect(around).toHaveBeenCalledOnce()
  expect(screen.getByAltText('Input')).toBeTruthy()
  expect(screen.getByAltText('Result')).toBeTruthy()
})
