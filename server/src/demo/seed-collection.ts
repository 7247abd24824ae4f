import { setTimeout as wait } from 'node:timers/promises'
import type { UserCaller } from '../kernel/callers.ts'
import { businessDay } from '../kernel/days.ts'
import { parseDecimal } from '../kernel/decimal.ts'
import { Refusal } from '../kernel/refusals.ts'
import type { BuyerId } from '../modules/buyers/index.ts'
import {
  deactivateAccount,
  listReceivedPayments,
  type OpenInput,
  openAccount,
  refundPayment,
  registerSettlementAccount,
  sendTransfer,
  type VirtualAccount,
} from '../modules/collection/index.ts'
import { createInvoice, finaliseInvoice, type Invoice } from '../modules/invoices/index.ts'
import { listOwnSellers } from '../modules/sellers/index.ts'
import { systemClock } from '../platform/clock.ts'
import type { AnyOperation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoOrigin } from './seed-organisation.ts'

/** How long the demo waits for a payment that it wants to send back in part; whoever serves without working never sees it. */
const looks = 40
const lookEveryMs = 100

/**
 * Buyers who pay by bank transfer: exactly, in parts, too much, for nothing that is known, and some of it goes back. All through the
 * ordinary operations and the simulated bank; the payments come in by its notifications. Where it does not answer there is nothing.
 */
export async function seedCollection(
  runner: Runner,
  owner: UserCaller,
  buyers: { readonly trader: BuyerId; readonly shop: BuyerId },
): Promise<void> {
  const act = <Input, Output>(operation: AnyOperation<UserCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller: owner, origin: demoOrigin, input })
  const now = systemClock.now().getTime()
  const day = (days: number): string => businessDay(new Date(now + days * 86_400_000), 'Africa/Lagos')

  const sell = async (buyerId: BuyerId, unitPrice: string): Promise<Invoice> => {
    const line = { description: 'Palm oil, 25 litres', unitCode: 'LTR', hsnCode: '1511.10', taxCategory: 'standard' }
    const price = parseDecimal(unitPrice)
    const quantity = parseDecimal('1')
    if (!price || !quantity) throw new Error('a demo amount is no number')
    const draft = await act(createInvoice, {
      type: 'standard',
      currency: 'NGN',
      issueDate: day(-2),
      dueDate: day(28),
      buyerId,
      lines: [{ ...line, quantity, unitPrice: price }],
    })
    return await act(finaliseInvoice, draft)
  }

  try {
    const [seller] = (await act(listOwnSellers, { filter: { primaryOnly: true }, page: { page: 1, limit: 1 } })).rows
    if (!seller) return
    const home = { bankCode: '058', accountNumber: '0123456785', jurisdiction: 'NG', currency: 'NGN' }
    await act(registerSettlementAccount, { sellerId: seller.id, ...home })
    const open = async (reference: string, name: string, more: Partial<OpenInput>): Promise<VirtualAccount> => {
      const customer = { name, firstName: null, lastName: null, phoneNumber: null, email: null }
      const none = { buyerId: null, invoiceId: null, accountReference: null, method: null, bvn: null }
      const amounts = { amountMinor: null, limitMinor: null, expiresAt: null }
      const callback = { callbackUrl: null, callbackForm: 'a' as const }
      const where = { ...callback, jurisdiction: 'NG', currency: 'NGN', sellerId: seller.id }
      return (
        await act(openAccount, { reference, kind: 'persistent', ...where, customer, ...none, ...amounts, ...more })
      ).account
    }
    const pay = ({ accountNumber }: VirtualAccount, amountMinor: bigint, senderName: string, narration: string) =>
      act(sendTransfer, { accountNumber, amountMinor, senderName, narration })

    const exact = await sell(buyers.trader, '42000')
    const forExact = await open('demo-invoice-1', 'Bello Foods Ltd', {
      kind: 'dynamic',
      invoiceId: exact.id,
      amountMinor: exact.payableMinor,
    })
    await pay(forExact, exact.payableMinor, 'BELLO FOODS LTD', exact.number)
    const partly = await sell(buyers.shop, '86000')
    const forShop = await open('demo-chiamaka', 'Chiamaka Obi', { buyerId: buyers.shop })
    await pay(forShop, partly.payableMinor / 3n, 'CHIAMAKA OBI', `${partly.number} first part`)
    const over = await sell(buyers.trader, '15000')
    const forOver = await open('demo-invoice-2', 'Bello Foods Ltd', {
      kind: 'dynamic',
      invoiceId: over.id,
      amountMinor: over.payableMinor,
      expiresAt: new Date(now + 14 * 86_400_000),
    })
    const { reference } = await pay(forOver, over.payableMinor + 350_000n, 'BELLO FOODS LTD', over.number)
    const walkIn = await open('demo-walk-in', 'Whoever comes by', {})
    await pay(walkIn, 1_250_000n, 'TUNDE BAKARE', 'goods')
    const ended = await open('demo-ended', 'Kano Textiles PLC', {})
    await act(deactivateAccount, { id: ended.id, reason: 'They pay by cheque now' })
    for (let look = 0; look < looks; look++) {
      const { rows } = await act(listReceivedPayments, { page: { page: 1, limit: 50 } })
      const paid = rows.find((one) => one.providerReference === reference && one.matchedAt !== null)
      if (paid) {
        await act(refundPayment, { id: paid.id, amountMinor: 100_000n, reason: 'Part of what was too much' })
        return
      }
      await wait(lookEveryMs)
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}
