import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { Icon } from '@/shared/ui/icon'
import { simpleAppsQuery } from '../api'
import { SimpleAppArt } from './simple-app-art'
import styles from './simple-app-cards.module.css'

/** Cards of the simple apps that are set up here. Nothing as long as there is none. */
export default function SimpleAppCards() {
  const { t } = useTranslation('simpleApps')
  const apps = useQuery(simpleAppsQuery()).data?.filter(({ state }) => state !== 'Unbound') ?? []
  if (apps.length === 0) return null
  return (
    <section className={styles.section} aria-label={t('title')}>
      <div className={styles.head}>
        <h2>{t('title')}</h2>
        <p>{t('lead')}</p>
      </div>
      <ul className={styles.cards}>
        {apps.map(({ address, state }) => (
          <li key={address}>
            <Link className={styles.card} to={paths.simpleApp(address)}>
              <SimpleAppArt address={address} className={styles.art} />
              {state === 'Waiting' && (
                <span className={styles.sign}>
                  <Icon name="clock" size={12} />
                  {t('notNow')}
                </span>
              )}
              <span className={styles.words}>
                <span className={styles.name}>{t(`apps.${address}.name`)}</span>
                <span className={styles.text}>{t(`apps.${address}.text`)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
