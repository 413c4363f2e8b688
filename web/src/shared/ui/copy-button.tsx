import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '@/shared/lib/clipboard'
import { Button } from './button'
import { toast } from './toast'

/** How much of the copied text the toast repeats. */
const NAMED = 60

type CopyButtonProps = {
  text: string
  label: string
  size?: 'small' | 'normal'
  /** The name in the toast if the text is a secret. */
  named?: string
}

/** Copies a text and confirms it on the button and in a toast. */
export function CopyButton({ text, label, size = 'small', named = text }: CopyButtonProps) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    copyText(text).then(
      () => {
        setCopied(true)
        toast.success(t('copiedTo', { text: named.length > NAMED ? `${named.slice(0, NAMED)}…` : named }))
      },
      () => toast.error(t('copyFailed')),
    )
  }
  return (
    <Button tone="outline" size={size} icon={copied ? 'check' : 'copy'} onClick={copy}>
      {copied ? t('copied') : label}
    </Button>
  )
}
