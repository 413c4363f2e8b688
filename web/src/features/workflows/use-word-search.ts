import { useNavigate } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { remember } from './recent'

/** Leads to what has these words, and keeps them for the next time; an empty field leads nowhere. */
export function useWordSearch(): (words: string) => void {
  const navigate = useNavigate()
  return (words) => {
    if (!words) return
    remember(words)
    void navigate(paths.search({ q: words }))
  }
}
