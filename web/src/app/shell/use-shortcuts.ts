import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { isTyping } from '@/shared/lib/typing'
import { openModal } from '@/shared/ui/modals'

/** Target of `/`: the page's search field, or an element marked as its entry. */
const SEARCH = 'input[type=search], [data-search]'

const isShown = (element: HTMLElement) => element.getClientRects().length > 0

/**
 * `/` focuses the search and `?` lists the shortcuts, unless the user is typing or a layer is open. Layers handle Esc.
 */
export function useShortcuts(): void {
  const navigate = useNavigate()
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector('[aria-modal=true], dialog[open]')) return
      if (event.key === '?') {
        event.preventDefault()
        openModal('shortcuts', {})
      }
      if (event.key === '/') {
        event.preventDefault()
        const field = [...document.querySelectorAll<HTMLElement>(SEARCH)].find(isShown)
        if (field) field.focus()
        else void navigate(paths.home(), { state: { search: true } })
      }
    }
    document.addEventListener('keydown', keys)
    return () => document.removeEventListener('keydown', keys)
  }, [navigate])
}
