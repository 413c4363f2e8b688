import { Suspense, useEffect, useRef, useState } from 'react'
import { matchPath, useLocation, useOutlet } from 'react-router'
import type { OpenedFrom } from '@/features/gallery'
import { chunk } from '@/shared/lib/chunk'
import { lazyPart } from '@/shared/ui/lazy-part'
import { PageLost } from '@/shared/ui/part-lost'
import { PageSpinner } from '@/shared/ui/spinner'

type LayeredProps = { pathname: string; reveal: { key: string } | null }
type Module = { default: React.ComponentType<LayeredProps> }

/** Fetches the code of a page when its route is entered, beside its data, and shows it from there. */
function layered(patterns: string[], load: () => Promise<Module>) {
  return { patterns, load, Page: lazyPart(load, PageLost) }
}

/** Pages with lists of pictures. One stays as it is, with its place and its selection, while a picture is open above. */
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

/** The page of this address and, above it, the picture that is open. */
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

/** The picture that was open until now, which may be another than the one that was opened. */
function useReveal(picture: string | undefined): { key: string } | null {
  const last = useRef<string | undefined>(undefined)
  const [reveal, setReveal] = useState<{ key: string } | null>(null)
  useEffect(() => {
    if (!picture && last.current) setReveal({ key: last.current })
    last.current = picture
  }, [picture])
  return reveal
}
