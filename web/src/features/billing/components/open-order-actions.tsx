import { useTranslation } from 'react-i18next'
import type { Order } from '@/shared/api/types'
import { Button, ButtonLink } from '@/shared/ui/button'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { useCancelOrder } from '../orders-api'

/** Continues or cancels an order that is not paid. */
export function OpenOrderActions({ order: { _id, payAt }, size }: { order: Order; size: 'small' | 'normal' }) {
  const { t } = useTranslation('orders')
  const toasts = useResultToasts()
  const cancel = useCancelOrder()
  return (
    <>
      {payAt && (
        <ButtonLink to={payAt} reloadDocument tone="primary" size={size}>
          {t('own.continue')}
        </ButtonLink>
      )}
      <Button
        size={size}
        busy={cancel.isPending}
        onClick={() =>
          cancel.mutate(
            _id,
            toasts(t('own.canceled'), (message) => t('own.cancelFailed', { message })),
          )
        }
      >
        {t('own.cancel')}
      </Button>
    </>
  )
}
