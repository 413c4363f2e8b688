import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FieldProblem } from '@/shared/api/errors'
import { showLanguage } from '@/shared/i18n'
import { coupon, item, personGrant, promotion, soldOrder, subscription } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { CardForm } from './components/card-form'
import { CreateCoupon } from './components/create-coupon'
import { EditCoupon } from './components/edit-coupon'
import { EditItem } from './components/item-form'
import { PersonGrants } from './components/person-grants'
import { EditPromotion } from './components/promotion-form'
import { RefundForm } from './components/refund-form'
import { SubscriberTable } from './components/subscriber-table'
import { EMPTY_COUPON } from './model'
import { brokenRule } from './refused-fields'

const ROOM = join(process.cwd(), '../core/src/billing')

/** What the server says of fields, with numbers for its placeholders. */
function serverWords(): string[] {
  const files = readdirSync(ROOM, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.rs') && !/tests|providers/.test(name),
  )
  const text = files.map((name) => readFileSync(join(ROOM, name), 'utf8')).join('\n')
  const words = [...text.matchAll(/"((?:must|is|cannot|at least) [^"\n]*)"/g)].map(([, found = '']) => found)
  return words.map((found) => found.replaceAll(/\{\w*\}/g, '7'))
}

const close = () => undefined
const typed = async (label: string, text: string) => userEvent.type(await screen.findByLabelText(label), text)
const pressed = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))

/** The form of a new coupon with everything in it that it needs. */
function NewCoupon() {
  const draft = useState({ ...EMPTY_COUPON, name: '환영', amount: '5', code: 'WELCOME-1' })
  return <CreateCoupon draft={draft} onClose={close} />
}

type Case = {
  form: ReactNode
  call: string
  refused: FieldProblem
  words: string
  fill?: () => Promise<void>
  send: string
}

const CASES: Record<string, Case> = {
  'a refund': {
    form: <RefundForm order={soldOrder({ creditsLeft: 10_000 })} onClose={close} />,
    call: 'POST /api/admin/order/order-1/refund',
    refused: { field: 'amount', message: 'must be between 1 and 500, which is left' },
    words: '남아 있는 $5.00 이하로 입력해주세요.',
    fill: () => typed('사유', '고장'),
    send: '환불하기',
  },
  'an item': {
    form: <EditItem item={item()} onClose={close} />,
    call: 'PATCH /api/admin/item/item-1',
    refused: { field: 'prices.USD', message: 'must be between 50 and 10000000 of the smallest unit' },
    words: '$0.50부터 $100,000.00까지의 값을 입력해주세요.',
    fill: () => typed('이름', ' 2'),
    send: '저장',
  },
  'a new coupon': {
    form: <NewCoupon />,
    call: 'POST /api/admin/coupon',
    refused: { field: 'benefit.amount', message: 'must be between 1 and 4' },
    words: '1부터 4까지의 값을 입력해주세요.',
    send: '쿠폰 만들기',
  },
  'a coupon': {
    form: <EditCoupon coupon={coupon()} onClose={close} />,
    call: 'PATCH /api/admin/coupon/coupon-1',
    refused: { field: 'maxUses', message: 'must be between 103 and 1000000000' },
    words: '103부터 1,000,000,000까지의 값을 입력해주세요.',
    fill: () => typed('전체 사용 횟수 한도', '0'),
    send: '저장',
  },
  'a promotion': {
    form: <EditPromotion promotion={promotion()} onClose={close} />,
    call: 'PATCH /api/admin/promotion/promotion-1',
    refused: { field: 'endsAt', message: 'must be in the future' },
    words: '아직 지나지 않은 날짜를 선택해주세요.',
    fill: () => typed('이름', ' 2'),
    send: '저장',
  },
  'the credits of a grant': {
    form: <PersonGrants user="user-1" grants={[personGrant()]} />,
    call: 'POST /api/admin/credit/debit',
    refused: { field: 'reason', message: 'must have 1 to 200 characters' },
    words: '눈에 보이는 글자로 1자부터 200자까지 입력해주세요.',
    fill: async () => {
      await pressed(/^회수: /)
      await typed('회수할 크레딧', '70')
      await typed('회수 사유', '고장')
    },
    send: '회수',
  },
  'the end of a subscription': {
    form: <SubscriberTable rows={[{ ...subscription(), user: { _id: 'user-1', name: 'Mira', profile: null } }]} />,
    call: 'POST /api/admin/subscription/sub-1/end',
    refused: { field: 'reason', message: 'must have 1 to 200 characters' },
    words: '눈에 보이는 글자로 1자부터 200자까지 입력해주세요.',
    fill: async () => {
      await pressed('Mira님의 Pro 구독 종료')
      await typed('사유', '고장')
    },
    send: '즉시 종료',
  },
  'a card': {
    form: (
      <CardForm
        opened={{ _id: 'card-9', page: null, toss: null, hasCardForm: true }}
        onWindow={close}
        windowError={null}
        onClose={close}
        onSaved={close}
      />
    ),
    call: 'POST /api/general/payment-method/card-9/card',
    refused: { field: 'expirationYear', message: 'the card has expired' },
    words: '지나지 않은 유효기간을 MM/YY 형식으로 입력해주세요.',
    fill: async () => {
      await typed('카드 번호', '4330123412341234')
      await typed('유효기간', '1299')
      await typed('카드 비밀번호 앞 2자리', '12')
      await typed('생년월일 또는 사업자등록번호', '881212')
      await typed('이름', 'Mira')
      await userEvent.click(screen.getByRole('checkbox'))
    },
    send: '카드 저장',
  },
}

describe('the rules of the server', () => {
  it('are known by its words, but for two of fields that no form shows', () => {
    const words = serverWords()
    expect(words.length).toBeGreaterThan(20)
    expect(words.filter((found) => !brokenRule(found)).sort()).toEqual([
      'is an order: refund it to take its credits back',
      'must have at most 7 characters',
    ])
  })

  it.each([
    ['must be between 0 and 12, which are left', 'left', { least: '0', most: '12' }],
    ['must be between 1 and 90', 'between', { least: '1', most: '90' }],
    ['must have 1 to 80 visible characters', 'length', { least: '1', most: '80' }],
    ['must have 1 to 80 visible characters in one line', 'line', { least: '1', most: '80' }],
    ['must be one of Basic, Pro', 'choice', { choices: 'Basic, Pro' }],
    ['is needed for FirstPurchase', 'needed', {}],
    ['does not belong to an item of this kind', 'foreign', {}],
  ])('%s is %s', (words, rule, names) => {
    expect(brokenRule(words)).toEqual({ rule, names })
  })
})

describe('a refusal of the server', () => {
  beforeEach(() => showLanguage('ko'))
  afterEach(() => showLanguage('en'))

  it.each(Object.entries(CASES))('of %s is a Korean sentence at its field', async (_name, one) => {
    const body = { code: 'VALIDATION_FAILED', message: 'x', details: [one.refused] }
    const requests = stubApi({ [one.call]: { status: 400, body } })
    renderApp(one.form)
    await one.fill?.()
    await pressed(one.send)
    expect(await screen.findByText(one.words)).toBeTruthy()
    expect(requests.filter(({ method }) => method !== 'GET')).toHaveLength(1)
  })

  it('has the words of the server if they follow no known rule', async () => {
    const details = [{ field: 'benefit.amount', message: 'must be a prime number' }]
    stubApi({ 'POST /api/admin/coupon': { status: 400, body: { code: 'VALIDATION_FAILED', message: 'x', details } } })
    renderApp(<NewCoupon />)
    await pressed('쿠폰 만들기')
    expect(await screen.findByText('must be a prime number')).toBeTruthy()
  })
})
