import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { AdminOnly } from '@/features/workflows'
import type { Notice } from '@/shared/api/types'
import { formatDate } from '@/shared/lib/format'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { useConfirm } from '@/shared/ui/dialog'
import { LoadMore } from '@/shared/ui/load-more'
import { Page } from '@/shared/ui/page'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { useToast } from '@/shared/ui/toast'
import { noticesQuery, useDeleteNotice } from '../api/notices'
import { NoticeForm } from '../components/notice-form'
import { NoticePreview } from '../components/notice-preview'
import styles from './notices-page.module.css'

/** Where admins tell everybody something. */
export default function NoticesPage() {
  const { t } = useTranslation('notifications')
  return (
    <AdminOnly>
      <Page title={t('notices.title')} lead={t('notices.lead')}>
        <div className={styles.columns}>
          <NoticeForm />
          <Sent />
        </div>
      </Page>
    </AdminOnly>
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
      {list.isPending && <Skeleton style={{ height: 180, borderRadius: 12 }} />}
      {list.isError && !list.data && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.length === 0 && (
        <EmptyState icon="megaphone" title={t('notices.none')} text={t('notices.noneText')} />
      )}
      <ul className={styles.list}>
        {list.data?.map((notice) => (
          <SentNotice key={notice._id} notice={notice} />
        ))}
      </ul>
      <LoadMore hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
    </section>
  )
}

function SentNotice({ notice }: { notice: Notice }) {
  const { t, i18n } = useTranslation('notifications')
  const { t: common } = useTranslation()
  const toast = useToast()
  const text = useProblemText()
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
    remove.mutate(notice._id, {
      onSuccess: () => toast.success(t('notices.deleted')),
      onError: (error) => toast.error(text(error), error),
    })
  }
  return (
    <li className={styles.item}>
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
    </li>
  )
}
