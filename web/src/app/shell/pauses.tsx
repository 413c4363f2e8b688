import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import type { Language } from '@/shared/i18n'
import { Icon } from '@/shared/ui/icon'
import { announcementsQuery } from './announcements'
import styles from './shell.module.css'

/** Pages from which pictures go into the gallery, and the gallery itself. */
const PLACES = /^\/(?:gallery|pictures|profile\/[^/]+\/(?:gallery|image-files))(?:\/|$)/

/** Pages where people look for a model, or for an app that has it. */
const MODEL_PLACES = /^\/(?:apps|create|comfyui-manager)(?:\/|$)/

/** Says what is not done for the time being, where people would ask for it: pictures in the gallery, and new models. */
export function Pauses() {
  const { t, i18n } = useTranslation()
  const { pathname } = useLocation()
  const told = useQuery(announcementsQuery()).data
  const pauses = [
    { title: t('galleryPause'), text: told?.galleryPause, places: PLACES },
    { title: t('requestPause'), text: told?.requestPause, places: MODEL_PLACES },
  ]
  return pauses.map(
    ({ title, text, places }) =>
      text &&
      places.test(pathname) && (
        <section key={title} className={styles.pause} aria-label={title}>
          <Icon name="clock" size={20} />
          <p>{text[i18n.language as Language]}</p>
        </section>
      ),
  )
}
