import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MiniAppCard } from '@/shared/api/types'
import { Segments } from '@/shared/ui/segments'
import { tagsOf } from '../fill-from-text'
import { AppGrid } from './app-card'
import styles from './app-shelf.module.css'

/** Number of tags offered; a tag of a single app is left out. */
const MAX_PURPOSES = 7
const MIN_PURPOSES = 2

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
  const common = [...counts.values()].filter((tag) => tag.count >= MIN_PURPOSES && tag.count < apps.length)
  return common.sort((a, b) => b.count - a.count).slice(0, MAX_PURPOSES)
}
