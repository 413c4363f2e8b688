import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Notice } from '@/shared/api/types'
import { formatDate } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { useConfirm } from '@/shared/ui/dialog'
import { Page } from '@/shared/ui/page'
import { QueryRows } from '@/shared/ui/query-list'
import { EmptyState } from '@/shared/ui/states'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { noticesQuery, useDeleteNotice } from '../api/notices'
import { NoticeForm } from '../components/notice-form'
import { NoticePreview } from '../components/notice-preview'
import styles from './notices-page.module.css'

export default function NoticesPage() {
  const { t } = useTranslation('notifications')
  return (
    <Page title={t('notices.title')} lead={t('notices.lead')}>
      <div className={styles.columns}>
        <NoticeForm />
        <Sent />
      </div>
    </Page>
  )
}

function Sent() {
  const { t } = useTranslation('notifications')
  const list = useInfiniteQuery(noticesQuery())
  return (
    <section className={styles.sent} aria-labelledby="sent-notices">
      <h2 id="sent-notices" className={styles.heading}>
        {t('notices.sent')}
      </h2>
      <QueryRows
        list={list}
        className={styles.list as string}
        skeleton={{ height: 180, count: 1 }}
        empty={<EmptyState icon="megaphone" title={t('notices.none')} text={t('notices.noneText')} />}
      >
        {(notice) => <SentNotice notice={notice} />}
      </QueryRows>
    </section>
  )
}

function SentNotice({ notice }: { notice: Notice }) {
  const { t, i18n } = useTranslation('notifications')
  const { t: common } = useTranslation()
  const toasts = useResultToasts()
  const confirm = useConfirm()
  const remove = useDeleteNotice()
  const title = i18n.language === 'ko' ? notice.titleKo : notice.titleEn
  const drop = async () => {
    const yes = await confirm({
      title: t('notices.deleteTitle', { title }),
      text: t('notices.deleteText'),
      action: common('delete'),
      danger: true,
    })
    if (!yes) return
    remove.mutate(notice._id, toasts(t('notices.deleted')))
  }
  return (
    <div className={styles.item}>
      <NoticePreview notice={notice} />
      <div className={styles.foot}>
        <time dateTime={notice.createdAt}>{formatDate(notice.createdAt)}</time>
        <Button
          tone="danger"
          size="small"
          icon="trash"
          busy={remove.isPending}
          aria-label={t('notices.deleteLabel', { title })}
          onClick={() => void drop()}
        />
      </div>
    </div>
  )
}
