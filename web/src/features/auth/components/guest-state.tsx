import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import type { IconName } from '@/shared/ui/icon'
import { EmptyState } from '@/shared/ui/states'
import { useLoginDialog } from './login-dialog'

export function GuestState({ icon, title, text }: { icon: IconName; title: string; text: string }) {
  const { t } = useTranslation()
  const openLogin = useLoginDialog()
  const action = (
    <Button tone="primary" onClick={() => openLogin()}>
      {t('signIn')}
    </Button>
  )
  return <EmptyState icon={icon} title={title} text={text} action={action} />
}
