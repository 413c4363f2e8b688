import { ApiError } from '@/shared/api/errors'
import type { PaymentMethodWindow, TossWindow } from '@/shared/api/types'
import { isRecord } from '@/shared/lib/is-record'
import { leaveFor } from './leave-for'

type TossPayments = (clientKey: string) => {
  requestBillingAuth: (
    method: '카드',
    options: Pick<TossWindow, 'customerKey' | 'successUrl' | 'failUrl'>,
  ) => Promise<unknown>
}

/** Goes to the window in which a card is saved: a page, or one that the provider's script opens. */
export async function enterCardWindow({ page, toss }: PaymentMethodWindow): Promise<void> {
  if (page) return leaveFor(page)
  if (toss) await openToss(toss)
}

async function openToss({ scriptUrl, clientKey, ...options }: TossWindow): Promise<void> {
  const tossPayments = await loadToss(scriptUrl)
  try {
    await tossPayments(clientKey).requestBillingAuth('카드', options)
  } catch (error) {
    const reason = isRecord(error) && typeof error.code === 'string' ? error.code : undefined
    throw new ApiError(409, { code: 'CARD_REFUSED', details: { reason } })
  }
}

/** Loads the script of the provider. A failed one is loaded again by the next call. */
async function loadToss(url: string): Promise<TossPayments> {
  const known = () => (window as { TossPayments?: TossPayments }).TossPayments
  if (!known()) {
    await new Promise<void>((loaded, failed) => {
      const script = document.createElement('script')
      script.src = url
      script.addEventListener('load', () => loaded())
      script.addEventListener('error', () => {
        script.remove()
        failed(new ApiError(0))
      })
      document.head.append(script)
    })
  }
  const tossPayments = known()
  if (!tossPayments) throw new ApiError(0)
  return tossPayments
}
