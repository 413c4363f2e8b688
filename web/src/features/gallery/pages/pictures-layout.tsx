import { useLocation, useOutlet } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { PicturesList } from '../components/pictures-list'

/** Keeps the list in place while one of its pictures is open above it, so that nobody loses their place. */
export default function PicturesLayout() {
  const outlet = useOutlet()
  const location = useLocation()
  const fromList = (location.state as { list?: string } | null)?.list === 'mine'
  return (
    <>
      {(location.pathname === paths.pictures() || fromList) && <PicturesList />}
      {outlet}
    </>
  )
}
