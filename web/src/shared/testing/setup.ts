import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { resetConnection } from '@/shared/api/connection'
import { restOfTexts, startI18n } from '@/shared/i18n'
import { closeModals } from '@/shared/ui/modals'
import { closeToasts } from '@/shared/ui/toast'

// Browser APIs that jsdom lacks.
window.matchMedia = (query) =>
  ({
    matches: query.includes('prefers-reduced-motion'),
    media: query,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => false,
  }) as MediaQueryList
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.IntersectionObserver = class {
  readonly root = null
  readonly rootMargin = ''
  readonly scrollMargin = ''
  readonly thresholds = []
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return []
  }
}
window.scrollTo = () => undefined
Element.prototype.scrollIntoView = () => undefined
window.CSS ??= {} as typeof CSS
window.CSS.escape ??= (text: string) => text.replace(/[^\w-]/g, '\\$&')

// Parts of pages are loaded on demand; a busy machine needs more than the default second.
configure({ asyncUtilTimeout: 15_000, getElementError: (message) => new Error(message ?? 'not found') })

beforeAll(async () => {
  document.body.replaceChildren()
  await startI18n('en')
  await restOfTexts()
})
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  closeModals()
  resetConnection()
  closeToasts()
})
afterEach(() => {
  cleanup()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
