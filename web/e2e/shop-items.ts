import { call, type Person } from './presses/fixtures'

type Pack = { _id: string; name: string; isActive: boolean }
type Order = { _id: string; name: string; status: string; payAt: string | null; refundedAmount: number }

const BODY = { credits: 1234, prices: { KRW: 9900, USD: 699 } }

/** Creates a pack of 1,234 credits. Its name is unique, because orders and items of earlier tests stay. */
export const makePack = (admin: Person, words = 'Press pack'): Promise<Pack> =>
  call<Pack>(admin, 'post', '/api/admin/item', { ...BODY, name: `${words} ${Date.now()}` })

/** Takes a pack out of the shop, so that it is in no other test's way. */
export const endPack = (admin: Person, id: string) => call(admin, 'patch', `/api/admin/item/${id}`, { isActive: false })

/** The newest packs with this name. */
export const packsNamed = async (admin: Person, name: string): Promise<Pack[]> =>
  (await call<{ items: Pack[] }>(admin, 'get', '/api/admin/item?limit=100')).items.filter((pack) => pack.name === name)

export const ordersOf = async (person: Person, name: string): Promise<Order[]> =>
  (await call<{ items: Order[] }>(person, 'get', '/api/general/order?limit=100')).items.filter(
    (order) => order.name === name,
  )

/** An order that is not paid yet, of a pack that is no longer offered. */
export async function makeOrder(admin: Person, buyer: Person): Promise<Order & { payment: string }> {
  const pack = await makePack(admin)
  const body = { itemId: pack._id, country: 'Other', isAgreed: true }
  const order = await call<Order>(buyer, 'post', '/api/general/order', body)
  await endPack(admin, pack._id)
  return { ...order, payment: new URL(order.payAt ?? '', 'http://localhost').pathname }
}

/** A paid order. */
export async function makePaidOrder(admin: Person, buyer: Person): Promise<Order> {
  const order = await makeOrder(admin, buyer)
  await call(buyer, 'post', `/api/public${order.payment}`, { answer: 'Approve' })
  return call<Order>(buyer, 'post', `/api/general/order/${order._id}/complete`)
}
