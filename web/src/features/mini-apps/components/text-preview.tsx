import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { textPreviewQuery } from '../api'
import styles from './text-preview.module.css'

type TextPreviewProps = { url: string | undefined; label: string }

/** The first lines of an uploaded text file. */
export default function TextPreview({ url, label }: TextPreviewProps) {
  const { t } = useTranslation('miniApps')
  const { t: common } = useTranslation()
  const preview = useQuery(textPreviewQuery(url))
  if (preview.isError) {
    return (
      <p className={styles.failed}>
        {t('text.noPreview')}
        <Button size="small" tone="ghost" onClick={() => void preview.refetch()}>
          {common('retry')}
        </Button>
      </p>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard.
    <section className={styles.text} aria-label={label} aria-busy={preview.isPending} tabIndex={0}>
      <pre>{preview.data}</pre>
    </section>
  )
}
