import { expect, it } from 'vitest'
import { paymentMethod } from '@/shared/testing/factories'
import { goingOn, rememberGoingOn } from './going-on'
import { cardBody, cardFor, caretAfter, EMPTY_CARD, groupedNumber, typedMonth, wrongCardFields } from './methods-model'

const NOW = new Date('2026-11-27T12:00:00')
const CARD = {
  ...EMPTY_CARD,
  number: '4330 1234 1234 1234',
  expiration: '11/26',
  passwordDigits: '12',
  identityNumber: '881212',
  name: ' Mira ',
  isAgreed: true,
}

it('the card number is written in groups of four', () => {
  expect(groupedNumber('4330-1234x1234')).toBe('4330 1234 1234')
  expect(groupedNumber('43301')).toBe('4330 1')
  expect(groupedNumber('4330')).toBe('4330')
  expect(typedMonth('1')).toBe('1')
  expect(typedMonth('1229')).toBe('12/29')
  expect(typedMonth('12/')).toBe('12')
})

it('the caret stays behind the digit that was typed', () => {
  expect(caretAfter('4330 1234', 4)).toBe(4)
  expect(caretAfter('4330 1234', 5)).toBe(6)
  expect(caretAfter('4330', 9)).toBe(4)
})

it('a card is checked before it is sent', () => {
  expect(wrongCardFields(CARD, NOW)).toEqual([])
  expect(wrongCardFields(EMPTY_CARD, NOW)).toEqual(['number', 'expiration', 'passwordDigits', 'identityNumber', 'name'])
  expect(wrongCardFields({ ...CARD, expiration: '10/26' }, NOW)).toEqual(['expiration'])
  expect(wrongCardFields({ ...CARD, expiration: '13/27' }, NOW)).toEqual(['expiration'])
  expect(wrongCardFields({ ...CARD, identityNumber: '1234567', email: 'mira' }, NOW)).toEqual([
    'identityNumber',
    'email',
  ])
})

it('a card is sent in digits', () => {
  expect(cardBody(CARD, NOW)).toEqual({
    number: '4330123412341234',
    passwordDigits: '12',
    identityNumber: '881212',
    expirationMonth: 11,
    expirationYear: 2026,
    name: 'Mira',
    email: null,
    isAgreed: true,
  })
})

it('the first card of the currency is charged', () => {
  const [won, dollars] = [paymentMethod({ currency: 'KRW' }), paymentMethod({ _id: 'card-2', isDefault: false })]
  expect(cardFor([won, dollars], 'USD')).toBe(dollars)
  expect(cardFor([won], 'USD')).toBe(null)
})

it('a person goes on only at a page of this site', () => {
  rememberGoingOn({ path: '/pricing?plan=Pro', isDefault: true })
  expect(goingOn()).toEqual({ path: '/pricing?plan=Pro', isDefault: true })
  sessionStorage.setItem('vg.card', JSON.stringify({ path: '//evil.example' }))
  expect(goingOn()).toBe(null)
  rememberGoingOn(null)
  expect(goingOn()).toBe(null)
})
