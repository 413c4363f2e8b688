import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '@/shared/lib/clipboard'
import { Button } from './button'
import { useToast } from './toast'

/** Characters of what was copied that the notice repeats. */
const NAMED = 60

type CopyButtonProps = {
  text: string
  label: string
  size?: 'small' | 'normal'
  /** What the notice calls it, where the text itself is a secret. */
  named?: string
}

/** Puts a text into the clipboard, and says so on itself and in a notice. */
export function CopyButton({ text, label, size = 'small', named = text }: CopyButtonProps) {
  const { t } = useTranslation()
  const toast = useToast()
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
