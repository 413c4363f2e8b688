import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import type { Language } from '@/shared/i18n'
import { Icon } from '@/shared/ui/icon'
import { announcementsQuery } from './announcements'
import styles from './shell.module.css'

/** Pages from which pictures go into the gallery, and the gallery itself. */
const PLACES = /^\/(?:gallery|pictures|profile\/[^/]+\/(?:gallery|image-files))(?:\/|$)/

/** Says that the gallery takes no pictures for the time being, where people would put some in. */
export function GalleryPause() {
  const { t, i18n } = useTranslation()
  const { pathname } = useLocation()
  const pause = useQuery(announcementsQuery()).data?.galleryPause
  if (!pause || !PLACES.test(pathname)) return null
  return (
    <section className={styles.pause} aria-label={t('galleryPause')}>
      <Icon name="clock" size={20} />
      <p>{pause[i18n.language as Language]}</p>
    </section>
  )
}
