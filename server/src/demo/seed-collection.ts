import { setTimeout as wait } from 'node:timers/promises'
import type { UserCaller } from '../kernel/callers.ts'
import { businessDay } from '../kernel/days.ts'
import { type Decimal, parseDecimal } from '../kernel/decimal.ts'
import { Refusal } from '../kernel/refusals.ts'
import type { BuyerId } from '../modules/buyers/index.ts'
import {
  collectionOperations,
  type OpenInput,
  type ReceivedPayment,
  type VirtualAccount,
} from '../modules/collection/index.ts'
import { createInvoice, finaliseInvoice, type Invoice, invoiceOperations } from '../modules/invoices/index.ts'
import { sellerOperations } from '../modules/sellers/index.ts'
import { systemClock } from '../platform/clock.ts'
import type { AnyOperation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoOrigin } from './seed-organisation.ts'

/** The demo buyers who pay by bank transfer. */
export interface Payers {
  readonly trader: BuyerId
  readonly shop: BuyerId
}

/** Recorded before each payment: a demo whose process is killed can lack a payment, but never pays twice. */
export interface PaidTransfers {
  has(reference: string): boolean
  add(reference: string): Promise<void>
}

/** How long the demo waits for a payment to refund in part; a process without workers never sees it. */
const looks = 600
const lookEveryMs = 100
const minuteMs = 60_000
const dayMs = 1440 * minuteMs
const everything = { page: 1, limit: 100 }

/** An amount in naira or another currency with hundredths, from its minor units. */
const naira = (minor: bigint): Decimal => ({ units: minor, scale: 2 })
const exactly = (text: string): Decimal => parseDecimal(text) as Decimal

/**
 * Buyers who pay by bank transfer: exactly, in parts, too much, and without a known invoice; some of it is refunded. All goes through the
 * ordinary operations and the simulated bank, whose notifications report the payments. Without a reply of the bank, nothing is created.
 * Data of an earlier start is found by its reference and continued.
 */
export async function seedCollection(
  runner: Runner,
  owner: UserCaller,
  { trader, shop }: Payers,
  signal: AbortSignal,
  paid: PaidTransfers,
): Promise<void> {
  const actAlways = <Input, Output>(
    operation: AnyOperation<UserCaller, Input, Output>,
    input: Input,
  ): Promise<Output> => runner.run(operation, { caller: owner, origin: demoOrigin, input })
  const act: typeof actAlways = (operation, input) => {
    signal.throwIfAborted()
    return actAlways(operation, input)
  }
  const now = systemClock.now().getTime()
  const day = (days: number): string => businessDay(new Date(now + days * dayMs), 'Africa/Lagos')

  async function sell(buyerId: BuyerId, unitPrice: string): Promise<Invoice> {
    const line = { description: 'Palm oil, 25 litres', unitCode: 'LTR', hsnCode: '1511.10', taxCategory: 'standard' }
    const draft = await act(createInvoice, {
      type: 'standard',
      currency: 'NGN',
      issueDate: day(-2),
      dueDate: day(28),
      buyerId,
      lines: [{ ...line, quantity: exactly('1'), unitPrice: exactly(unitPrice) }],
    })
    return await act(finaliseInvoice, draft)
  }

  try {
    const [seller] = (
      await act(sellerOperations.listOwnSellers, { filter: { primaryOnly: true }, page: { page: 1, limit: 1 } })
    ).rows
    if (!seller) return
    const home = { bankCode: '058', accountNumber: '0123456785', jurisdiction: 'NG', currency: 'NGN' }
    await act(collectionOperations.registerSettlementAccount, { sellerId: seller.id, ...home })
    const known = (await act(collectionOperations.listOwnAccounts, { filter: {}, page: everything })).page.rows
    const payments = (await act(collectionOperations.listReceivedPayments, { page: everything })).rows

    /** The account with this reference, and its invoice if it has one. */
    async function opened(reference: string, name: string, asked: Partial<OpenInput>): Promise<VirtualAccount> {
      const there = known.find((account) => account.reference === reference)
      if (there) return there
      const { account } = await act(collectionOperations.openAccount, {
        reference,
        kind: 'persistent',
        jurisdiction: 'NG',
        currency: 'NGN',
        sellerId: seller?.id as OpenInput['sellerId'],
        customer: { name, firstName: null, lastName: null, phoneNumber: null, email: null },
        identifiers: {},
        buyerId: null,
        invoiceId: null,
        accountReference: null,
        method: null,
        amountMinor: null,
        limitMinor: null,
        expiresAt: null,
        callbackUrl: null,
        callbackForm: 'a',
        ...asked,
      })
      return account
    }
    async function billed(reference: string, unitPrice: string, expiresAt: Date | null) {
      const there = known.find((account) => account.reference === reference)
      const invoice = there?.invoiceId
        ? await act(invoiceOperations.getInvoice, { id: there.invoiceId })
        : await sell(trader, unitPrice)
      const { id: invoiceId, payableMinor: amountMinor } = invoice
      const asked = { kind: 'dynamic', invoiceId, amountMinor, expiresAt } as const
      return { invoice, account: await opened(reference, 'Bello Foods Ltd', asked) }
    }
    const firstInto = ({ id }: VirtualAccount, among: readonly ReceivedPayment[]) =>
      among.find(({ accountId }) => accountId === id)
    async function pay(account: VirtualAccount, amountMinor: bigint, senderName: string, narration: string) {
      const { accountNumber, reference } = account
      if (paid.has(reference) || firstInto(account, payments)) return
      signal.throwIfAborted()
      await paid.add(reference)
      // Once it is recorded, no later start pays it.
      await actAlways(collectionOperations.sendTransfer, {
        accountNumber,
        amount: naira(amountMinor),
        senderName,
        narration,
      })
    }

    // No buyer pays this one, and the account expires soon. It comes before the overpayment, which would go to it.
    await billed('demo-invoice-3', '9500', new Date(now + 2 * minuteMs))
    const exact = await billed('demo-invoice-1', '42000', null)
    await pay(exact.account, exact.invoice.payableMinor, 'BELLO FOODS LTD', exact.invoice.number)
    const forShop = await opened('demo-chiamaka', 'Chiamaka Obi', { buyerId: shop })
    if (!paid.has(forShop.reference) && !firstInto(forShop, payments)) {
      const partly = await sell(shop, '86000')
      await pay(forShop, partly.payableMinor / 3n, 'CHIAMAKA OBI', `${partly.number} first part`)
    }
    const over = await billed('demo-invoice-2', '15000', new Date(now + 14 * dayMs))
    await pay(over.account, over.invoice.payableMinor + 350_000n, 'BELLO FOODS LTD', over.invoice.number)
    await pay(await opened('demo-walk-in', 'Whoever comes by', {}), 1_250_000n, 'TUNDE BAKARE', 'goods')
    const ended = await opened('demo-ended', 'Kano Textiles PLC', {})
    await act(collectionOperations.deactivateAccount, { id: ended.id, reason: 'They pay by cheque now' })
    for (let look = 0; look < looks; look++) {
      const paid = firstInto(
        over.account,
        (await act(collectionOperations.listReceivedPayments, { page: everything })).rows,
      )
      if (paid?.matchedAt) {
        const reason = 'Part of what was too much'
        if (paid.refundedMinor === 0n)
          await act(collectionOperations.refundPayment, { id: paid.id, amount: naira(100_000n), reason })
        return
      }
      await wait(lookEveryMs, undefined, { signal })
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}
