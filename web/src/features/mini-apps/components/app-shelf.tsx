import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MiniAppCard } from '@/shared/api/types'
import { Segments } from '@/shared/ui/segments'
import { tagsOf } from '../wish'
import { AppGrid } from './app-card'
import styles from './app-shelf.module.css'

/** Purposes that are offered; one that a single app has is none. */
const OFFERED = 7
const ENOUGH = 2

/** Apps by what they are for: the most common tags, and everything. */
export function AppShelf({ apps }: { apps: MiniAppCard[] }) {
  const { t, i18n } = useTranslation('miniApps')
  const [purpose, setPurpose] = useState('')
  const purposes = purposesOf(apps)
  const chosen = purposes.find((tag) => tag.key === purpose)
  const shown = chosen ? apps.filter((app) => tagsOf(app).some((tag) => tag.key === chosen.key)) : apps
  const options = [
    { key: '', title: t('purposeAll') },
    ...purposes.map((tag) => ({ key: tag.key, title: i18n.language === 'ko' ? tag.ko : tag.en })),
  ]
  return (
    <>
      {purposes.length > 0 && (
        <div className={styles.purposes}>
          <Segments label={t('purpose')} options={options} value={chosen?.key ?? ''} onChange={setPurpose} />
        </div>
      )}
      <AppGrid apps={shown} />
    </>
  )
}

function purposesOf(apps: MiniAppCard[]) {
  const counts = new Map<string, { key: string; en: string; ko: string; count: number }>()
  for (const tag of apps.flatMap(tagsOf)) {
    const known = counts.get(tag.key)
    if (known) known.count += 1
    else counts.set(tag.key, { ...tag, count: 1 })
  }
  const common = [...counts.values()].filter((tag) => tag.count >= ENOUGH && tag.count < apps.length)
  return common.sort((a, b) => b.count - a.count).slice(0, OFFERED)
}
