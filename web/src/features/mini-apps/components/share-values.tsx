import { useTranslation } from 'react-i18next'
import { copyText } from '@/shared/lib/clipboard'
import { paths } from '@/shared/lib/paths'
import { Button } from '@/shared/ui/button'
import type { FormValues, ReadForm } from '@/shared/ui/schema-form/read-form'
import { useToast } from '@/shared/ui/toast'
import { leavesOut, sharedHash } from '../shared-values'

/** Copies a link that opens this app with what is filled in here. Uploads stay with whoever made them. */
export function ShareValues({ app, form, values }: { app: string; form: ReadForm; values: FormValues }) {
  const { t } = useTranslation('miniApps')
  const toast = useToast()
  const share = () => {
    const hash = sharedHash(form, values)
    if (hash === null) return toast.error(t('shareValues.tooLong'))
    copyText(new URL(paths.miniApp(app) + hash, window.location.origin).href).then(
      () => toast.success(t('shareValues.done'), leavesOut(form, values) ? t('shareValues.leftOut') : undefined),
      (error: unknown) => toast.error(t('shareValues.failed'), error),
    )
  }
  return (
    <Button tone="ghost" size="small" icon="link" onClick={share}>
      {t('shareValues.action')}
    </Button>
  )
}
