import { type RefObject, useEffect, useState } from 'react'

/** Whether the element has been visible. */
export function useInSight(box: RefObject<HTMLElement | null>): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const node = box.current
    if (!node || seen) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true)
    })
    observer.observe(node)
    return () => observer.disconnect()
  }, [box, seen])
  return seen
}
