import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button'
import { useToast } from './toast'

/** Puts a text into the clipboard and says so on itself. */
export function CopyButton({
  text,
  label,
  size = 'small',
}: {
  text: string
  label: string
  size?: 'small' | 'normal'
}) {
  const { t } = useTranslation()
  const toast = useToast()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toast.error(t('copyFailed')),
    )
  }
  return (
    <Button tone="outline" size={size} icon={copied ? 'check' : 'copy'} onClick={copy}>
      {copied ? t('copied') : label}
    </Button>
  )
}
