import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '@/shared/api/types'
import { RichText } from '@/shared/ui/rich-text'
import { Segments } from '@/shared/ui/segments'
import type { NoticeDraft } from '../model'
import styles from './notice-form.module.css'

export function NoticePreview({ notice }: { notice: NoticeDraft }) {
  const { t, i18n } = useTranslation('notifications')
  const { t: common } = useTranslation()
  const [language, setLanguage] = useState<Language>(i18n.language === 'ko' ? 'ko' : 'en')
  const [title, html] = language === 'ko' ? [notice.titleKo, notice.contentKo] : [notice.titleEn, notice.contentEn]
  return (
    <div className={styles.preview}>
      <Segments
        label={t('notices.language')}
        options={[
          { key: 'en', title: common('english') },
          { key: 'ko', title: common('korean') },
        ]}
        value={language}
        onChange={setLanguage}
      />
      <div lang={language}>
        <p className={styles.title}>{title}</p>
        <RichText html={html} />
      </div>
    </div>
  )
}
