import { Suspense, useEffect, useRef, useState } from 'react'
import { matchPath, useLocation, useOutlet } from 'react-router'
import type { OpenedFrom } from '@/features/gallery'
import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'
import { PageLoadError } from '@/shared/ui/load-error'
import { PageSpinner } from '@/shared/ui/spinner'

type LayeredProps = { pathname: string; reveal: { key: string } | null }
type Module = { default: React.ComponentType<LayeredProps> }

/** Loads the code of a page when its route is entered, in parallel with its data. */
function layered(patterns: string[], load: () => Promise<Module>) {
  return { patterns, load, Page: lazyPart(load, PageLoadError) }
}

/** Pages with picture lists. The list keeps its scroll position and selection while a picture is open above it. */
export const LAYERED = {
  home: layered(
    ['/'],
    chunk(() => import('./home/home-page')),
  ),
  gallery: layered(
    ['/gallery', '/admin/gallery'],
    chunk(() => import('@/features/gallery/pages/gallery-page')),
  ),
  profile: layered(
    ['/profile/:userId/*', '/admin/profile/:userId/*'],
    chunk(() => import('@/features/profile/pages/profile-page')),
  ),
  mine: layered(
    ['/pictures'],
    chunk(() => import('@/features/gallery/pages/my-pictures-page')),
  ),
}

const PICTURE = ['/gallery/:pictureId', '/admin/gallery/:pictureId']

const pictureAt = (pathname: string) =>
  PICTURE.map((pattern) => matchPath(pattern, pathname)).find(Boolean)?.params.pictureId

/** The page of the address, with the open picture above it. */
export function LayeredPages() {
  const outlet = useOutlet()
  const { pathname, state } = useLocation()
  const picture = pictureAt(pathname)
  const under = picture ? (state as OpenedFrom | null)?.under.split('?')[0] : pathname
  const reveal = useReveal(picture)
  const entry = Object.entries(LAYERED).find(([, { patterns }]) =>
    patterns.some((pattern) => under !== undefined && matchPath(pattern, under)),
  )
  const [key, page] = entry ?? []
  return (
    <>
      {page && under !== undefined && (
        <Suspense key={key} fallback={<PageSpinner />}>
          <page.Page pathname={under} reveal={reveal} />
        </Suspense>
      )}
      {outlet}
    </>
  )
}

/** The picture that was last open. Arrows may have moved to another one than was opened. */
function useReveal(picture: string | undefined): { key: string } | null {
  const last = useRef<string | undefined>(undefined)
  const [reveal, setReveal] = useState<{ key: string } | null>(null)
  useEffect(() => {
    if (!picture && last.current) setReveal({ key: last.current })
    last.current = picture
  }, [picture])
  return reveal
}
