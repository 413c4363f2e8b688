import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import { useProblemText } from '@/shared/lib/problem-text'
import { useToast } from '@/shared/ui/toast'

/** Says why something was not done. */
export function useRefusal() {
  const { t } = useTranslation('people')
  const toast = useToast()
  const text = useProblemText()
  return (error: unknown) => {
    const codes: Record<string, string> = {
      BAN_ADMIN: t('refused.banAdmin'),
      NOT_BANNED: t('refused.notBanned'),
      LAST_ADMIN: t('refused.lastAdmin'),
      ROLE_OWN: t('refused.roleOwn'),
    }
    toast.error((isApiError(error) && codes[error.code]) || t('refused.other', { message: text(error) }), error)
  }
}
