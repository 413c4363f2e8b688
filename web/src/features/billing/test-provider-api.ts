import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type {
  TestAgreement,
  TestAgreementAnswer,
  TestAgreementChange,
  TestCard,
  TestCardAnswer,
  TestPayment,
  TestPaymentAnswer,
} from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { leaveFor } from './leave-for'

export const testPaymentQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.billing.testPayment, id],
    queryFn: ({ signal }): Promise<TestPayment> =>
      data(api.GET('/api/public/test-payment/{id}', { params: { path: { id } }, signal })),
    staleTime: 0,
  })

/** Answers a test payment once, and goes back to the shop. */
export function useAnswerTestPayment(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (answer: TestPaymentAnswer) =>
      data(api.POST('/api/public/test-payment/{id}', { params: { path: { id } }, body: { answer } })),
    once: () => id,
    onSuccess: ({ returnUrl }) => leaveFor(returnUrl),
    onError: () => client.invalidateQueries({ queryKey: testPaymentQuery(id).queryKey }),
  })
}

export const testCardQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.billing.testCard, id],
    queryFn: ({ signal }): Promise<TestCard> =>
      data(api.GET('/api/public/test-card/{id}', { params: { path: { id } }, signal })),
    staleTime: 0,
  })

/** Chooses a card at the test provider once, and goes back. */
export function useAnswerTestCard(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (answer: TestCardAnswer) =>
      data(api.POST('/api/public/test-card/{id}/answer', { params: { path: { id } }, body: { answer } })),
    once: () => id,
    onSuccess: ({ returnUrl }) => leaveFor(returnUrl),
    onError: () => client.invalidateQueries({ queryKey: testCardQuery(id).queryKey }),
  })
}

export const testAgreementQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.billing.testAgreement, id],
    queryFn: ({ signal }): Promise<TestAgreement> =>
      data(api.GET('/api/public/test-agreement/{id}', { params: { path: { id } }, signal })),
    staleTime: 0,
  })

const answerAgreement = (id: string, answer: TestAgreementAnswer) =>
  data(api.POST('/api/public/test-agreement/{id}/answer', { params: { path: { id } }, body: { answer } }))

/** Approves or declines a test agreement once, and goes back to the subscription. */
export function useAnswerTestAgreement(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (answer: TestPaymentAnswer) => answerAgreement(id, answer),
    once: () => id,
    onSuccess: ({ returnUrl }) => leaveFor(returnUrl),
    onError: () => client.invalidateQueries({ queryKey: testAgreementQuery(id).queryKey }),
  })
}

/** Charges a running test agreement, fails a charge or cancels it. The page stays. */
export function useChangeTestAgreement(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (answer: TestAgreementChange) => answerAgreement(id, answer),
    onSettled: () => client.invalidateQueries({ queryKey: testAgreementQuery(id).queryKey }),
  })
}
