import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '@/shared/i18n'
import { formatDate } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { EmptyState } from '@/shared/ui/states'
import { markSeen, useUnseen } from './announcements'
import styles from './modal-host.module.css'

/** The announcements. Shown ones count as seen; the "New" mark stays while the list is open. */
export default function AnnouncementList({ unseenOnly, onClose }: { unseenOnly: boolean; onClose: () => void }) {
  const { t, i18n } = useTranslation()
  const { all, unseen } = useUnseen()
  const [fresh] = useState(() => unseen.map((one) => one._id))
  const shown = unseenOnly ? all.filter((one) => fresh.includes(one._id)) : all
  useEffect(() => markSeen(shown.map((one) => one._id)), [shown])
  const language = i18n.language as Language
  if (shown.length === 0) return <EmptyState icon="megaphone" title={t('announcements.empty')} />
  return (
    <>
      <div className={styles.news}>
        {shown.map((one) => (
          <article key={one._id} className={styles.one}>
            <h3>
              {one.title[language]}
              {fresh.includes(one._id) && <Chip tone="live">{t('announcements.new')}</Chip>}
            </h3>
            <time dateTime={one.from}>{formatDate(one.from)}</time>
            {one.text[language]
              .trim()
              .split(/\n\s*\n/)
              .map((paragraph) => (
                <p key={paragraph}>{paragraph}</p>
              ))}
          </article>
        ))}
      </div>
      <div className={styles.actions}>
        <Button tone="primary" onClick={onClose}>
          {t('announcements.done')}
        </Button>
      </div>
    </>
  )
}
