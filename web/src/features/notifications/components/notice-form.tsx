import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '@/shared/api/types'
import { uploadForText } from '@/shared/api/upload'
import { chunk } from '@/shared/lib/chunk'
import { cardUrl } from '@/shared/lib/media'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { Dialog, useConfirm } from '@/shared/ui/dialog'
import { TextField } from '@/shared/ui/field'
import { lazyPart } from '@/shared/ui/lazy-part'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { Skeleton } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { useSendNotice } from '../api/notices'
import { EMPTY_NOTICE, MAX_NOTICE_TITLE, maySendNotice, type NoticeDraft } from '../model'
import styles from './notice-form.module.css'
import { NoticePreview } from './notice-preview'

const RichTextEditor = lazyPart(chunk(() => import('@/shared/ui/rich-text-editor')))

/** Writes a notice in both languages, previews it, and sends it to all users after a confirmation. */
export function NoticeForm() {
  const { t } = useTranslation('notifications')
  const text = useProblemText()
  const confirm = useConfirm()
  const send = useSendNotice()
  const [draft, setDraft] = useState<NoticeDraft>(EMPTY_NOTICE)
  const [life, setLife] = useState(0)
  const [shown, setShown] = useState(false)
  const ready = maySendNotice(draft)
  const submit = async () => {
    const yes = await confirm({
      title: t('notices.sendTitle', { title: draft.titleEn.trim() }),
      text: t('notices.sendText'),
      action: t('notices.send'),
    })
    if (!yes) return
    send.mutate(draft, {
      onSuccess: () => {
        toast.success(t('notices.sentNow'))
        setDraft(EMPTY_NOTICE)
        setLife(life + 1)
      },
      onError: (error) => toast.error(text(error), error),
    })
  }
  return (
    <section className={styles.form} aria-labelledby="write-notice">
      <h2 id="write-notice" className={styles.heading}>
        {t('notices.write')}
      </h2>
      <Part
        key={`en-${life}`}
        language="en"
        title={draft.titleEn}
        onTitle={(titleEn) => setDraft((now) => ({ ...now, titleEn }))}
        onText={(contentEn) => setDraft((now) => ({ ...now, contentEn }))}
      />
      <Part
        key={`ko-${life}`}
        language="ko"
        title={draft.titleKo}
        onTitle={(titleKo) => setDraft((now) => ({ ...now, titleKo }))}
        onText={(contentKo) => setDraft((now) => ({ ...now, contentKo }))}
      />
      <div className={styles.actions}>
        <Button icon="eye" disabled={!ready} onClick={() => setShown(true)}>
          {t('notices.preview')}
        </Button>
        <Button tone="primary" icon="megaphone" busy={send.isPending} disabled={!ready} onClick={() => void submit()}>
          {t('notices.send')}
        </Button>
      </div>
      {!ready && <p className={styles.help}>{t('notices.both')}</p>}
      <Dialog open={shown} onClose={() => setShown(false)} title={t('notices.preview')} width={560}>
        <NoticePreview notice={draft} />
      </Dialog>
    </section>
  )
}

type PartProps = {
  language: Language
  title: string
  onTitle: (title: string) => void
  onText: (html: string) => void
}

function Part({ language, title, onTitle, onText }: PartProps) {
  const { t } = useTranslation('notifications')
  const text = useProblemText()
  return (
    <div className={styles.part} lang={language}>
      <TextField
        label={t(`notices.titleIn.${language}`)}
        value={title}
        maxLength={MAX_NOTICE_TITLE}
        onChange={(event) => onTitle(event.target.value)}
      />
      <PartBoundary>
        <Suspense fallback={<Skeleton style={{ height: 130 }} />}>
          <RichTextEditor
            html=""
            compact
            label={t(`notices.textIn.${language}`)}
            placeholder={t(`notices.textIn.${language}`)}
            onChange={onText}
            onImage={async (file) => {
              const asset = await uploadForText(file)
              return { url: cardUrl(asset) ?? asset.url, name: asset.name }
            }}
            onProblem={(error) => toast.error(text(error), error)}
          />
        </Suspense>
      </PartBoundary>
    </div>
  )
}
