import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import { useProblemText } from '@/shared/lib/problem-text'
import { useConfirm } from '@/shared/ui/dialog'
import { toast } from '@/shared/ui/toast'
import { useBlock, useUnblock } from './api'

type Person = { _id: string; name: string }

export function useBlocking(onChange?: () => unknown) {
  const { t } = useTranslation('blocks')
  const text = useProblemText()
  const confirm = useConfirm()
  const block = useBlock()
  const unblock = useUnblock()
  const failed = (error: unknown) =>
    toast.error(isApiError(error) && error.code === 'TOO_MANY_BLOCKS' ? t('tooMany') : text(error), error)
  return {
    isPending: block.isPending || unblock.isPending,
    block: async ({ _id, name }: Person): Promise<void> => {
      const yes = await confirm({ title: t('title', { name }), text: t('text'), action: t('block'), danger: true })
      if (!yes) return
      block.mutate(_id, {
        onSuccess: () => {
          toast.success(t('blocked', { name }))
          void onChange?.()
        },
        onError: failed,
      })
    },
    unblock: ({ _id, name }: Person): void =>
      unblock.mutate(_id, {
        onSuccess: () => {
          toast.success(t('unblocked', { name }))
          void onChange?.()
        },
        onError: failed,
      }),
  }
}
