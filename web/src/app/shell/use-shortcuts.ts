import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { isTyping } from '@/shared/lib/typing'
import { openModal } from '@/shared/ui/modals'

/** What `/` puts the cursor into: the page's search field, or what a page marks as its entry. */
export const SEARCH = 'input[type=search], [data-search]'

const isShown = (element: HTMLElement) => element.getClientRects().length > 0

/** `/` searches and `?` lists the keys, wherever nobody is typing and no layer is open. Esc belongs to the layers. */
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
