import { act, renderHook } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { closeModal, openModal, useModal } from './modals'

afterEach(() => {
  closeModal('guidebook')
  closeModal('loading')
})

describe('layers', () => {
  it('open and close by id, independently', () => {
    const guidebook = renderHook(() => useModal('guidebook'))
    const loading = renderHook(() => useModal('loading'))
    act(() => openModal('guidebook', { chapter: 'build' }))
    act(() => openModal('loading', {}))
    expect(guidebook.result.current).toEqual({ chapter: 'build' })
    act(() => closeModal('loading'))
    expect(loading.result.current).toBeUndefined()
    expect(guidebook.result.current).toEqual({ chapter: 'build' })
  })

  it('get new props while open', () => {
    const { result } = renderHook(() => useModal('guidebook'))
    act(() => openModal('guidebook', { chapter: 'run' }))
    act(() => openModal('guidebook', { chapter: 'publish' }))
    expect(result.current).toEqual({ chapter: 'publish' })
  })
})
