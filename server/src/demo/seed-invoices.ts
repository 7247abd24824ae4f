import type { UserCaller } from '../kernel/callers.ts'
import { businessDay } from '../kernel/days.ts'
import { type Decimal, parseDecimal } from '../kernel/decimal.ts'
import { collectionOperations } from '../modules/collection/index.ts'
import {
  createCreditNote,
  createInvoice,
  type DraftInput,
  finaliseInvoice,
  type Invoice,
  invoiceOperations,
} from '../modules/invoices/index.ts'
import { sellerOperations } from '../modules/sellers/index.ts'
import { systemClock } from '../platform/clock.ts'
import type { AnyOperation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoOrigin } from './seed-organisation.ts'
import type { DemoBuyer, DemoItem, DemoParties } from './seed-parties.ts'
import type { DemoReports } from './seed-submissions.ts'
import { stockOrder } from './stock-order.ts'

/** An amount in naira or another currency with hundredths, from its minor units. */
const naira = (minor: bigint): Decimal => ({ units: minor, scale: 2 })
const exactly = (text: string): Decimal => parseDecimal(text) as Decimal

const exportedOil = {
  description: 'Refined palm oil in drums, for export',
  hsnCode: '1511.90',
  unitCode: 'XDR',
  taxCategory: 'zero',
}
const advice = { description: 'Stock-taking and year-end books', serviceCode: '6920', unitCode: 'HUR' }

/** The facts of a demo invoice in addition to its lines; days are counted from today. */
interface Sale extends Partial<Omit<DraftInput, 'lines' | 'buyerId' | 'issueDate' | 'dueDate' | 'instalments'>> {
  readonly to?: DemoBuyer
  readonly daysAgo: number
  readonly dueAfter?: number
  /** instalments: percentage and days after the issue */
  readonly parts?: readonly (readonly [percent: string, dueAfter: number])[]
}

type LineInput = DraftInput['lines'][number]

/**
 * Four months of a wholesaler's invoices, in every state before submission. The demo owner creates them through the ordinary operations.
 * Returns the invoices to submit.
 */
export async function seedInvoices(
  runner: Runner,
  owner: UserCaller,
  { buyers, items }: DemoParties,
  { mayMail }: { mayMail: boolean },
): Promise<DemoReports> {
  const act = <Input, Output>(operation: AnyOperation<UserCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller: owner, origin: demoOrigin, input })
  const now = systemClock.now().getTime()
  const dayBefore = (days: number): string => businessDay(new Date(now - days * 86_400_000), 'Africa/Lagos')

  const of = (item: DemoItem, quantity: string, more: Partial<LineInput> = {}): LineInput => ({
    itemId: items[item],
    quantity: exactly(quantity),
    ...more,
  })
  const draft = ({ to, daysAgo, dueAfter, parts, ...more }: Sale, ...lines: LineInput[]): Promise<Invoice> =>
    act(createInvoice, {
      type: 'standard',
      currency: 'NGN',
      issueDate: dayBefore(daysAgo),
      ...(dueAfter === undefined ? {} : { dueDate: dayBefore(daysAgo - dueAfter) }),
      ...(parts && {
        instalments: parts.map(([percent, after]) => ({
          dueDate: dayBefore(daysAgo - after),
          percent: exactly(percent),
        })),
      }),
      ...(to === undefined ? {} : { buyerId: buyers[to] }),
      lines,
      ...more,
    })
  const sell = async (sale: Sale, ...lines: LineInput[]): Promise<Invoice> =>
    await act(finaliseInvoice, await draft(sale, ...lines))
  const pay = ({ id }: Invoice, amountMinor: bigint, daysAgo: number, reference: string, method = 'transfer') =>
    act(invoiceOperations.recordPayment, {
      id,
      amount: naira(amountMinor),
      paidOn: dayBefore(daysAgo),
      method,
      reference,
    })
  const payAll = (invoice: Invoice, daysAgo: number, reference: string, method?: string) =>
    pay(invoice, invoice.payableMinor, daysAgo, reference, method)

  const page = { page: 1, limit: 1 }
  const [seller] = (await act(sellerOperations.listOwnSellers, { filter: { primaryOnly: true }, page })).rows
  if (seller) await act(sellerOperations.updateSeller, { id: seller.id, change: { registrationNumber: 'RC 1184420' } })

  const opening = await sell(
    { to: 'Bello Foods Ltd', daysAgo: 118, dueAfter: 30, purchaseOrderReference: 'BF-2207' },
    of('Parboiled rice, 50 kg', '40'),
    of('Palm oil, 25 litres', '12', { discount: naira(1_200_00n) }),
    of('Delivery within Lagos', '1'),
  )
  await pay(opening, 1_500_000_00n, 96, 'NIP/000114')
  await pay(opening, opening.payableMinor - 1_500_000_00n, 88, 'NIP/000181')

  const hospital = await sell(
    {
      to: 'Rivers State Hospitals',
      daysAgo: 104,
      dueAfter: 45,
      buyerReference: 'Ward kitchens',
      accountingCost: 'RSH-22',
    },
    of('Parboiled rice, 50 kg', '60'),
  )
  await pay(hospital, 2_000_000_00n, 70, 'TSA/88012')

  const exported = await sell(
    {
      to: 'Accra Imports',
      daysAgo: 96,
      dueAfter: 14,
      currency: 'USD',
      paymentTerms: 'Cash against documents',
      exchangeRate: exactly('1532.4'),
    },
    { ...exportedOil, quantity: exactly('36'), unitPrice: exactly('212.5') },
    { ...advice, quantity: exactly('3'), unitPrice: exactly('72.4'), taxCategory: 'standard' },
  )
  await payAll(exported, 85, 'LC-40918')

  const year = await sell(
    { to: 'Kano Textiles PLC', daysAgo: 88, dueAfter: 120, currency: 'EUR', paymentTerms: 'In instalments' },
    { ...advice, quantity: exactly('24.5'), unitPrice: exactly('85'), taxCategory: 'standard' },
  )
  await act(invoiceOperations.shareInvoice, year)

  // Two cans leaked after full payment: a refund is due.
  const leaked = await sell(
    { to: 'Adébáyọ̀ & Sons', daysAgo: 75, dueAfter: 30 },
    of('Palm oil, 25 litres', '20', { discount: naira(2_500_00n), fee: naira(750_00n) }),
    of('Parboiled rice, 50 kg', '5'),
  )
  await payAll(leaked, 60, 'NIP/000402')
  const cans = { originalId: leaked.id, reason: 'Two cans leaked', lines: [of('Palm oil, 25 litres', '2')] }
  await act(finaliseInvoice, await act(createCreditNote, cans))

  const twice = await sell({ to: 'Bello Foods Ltd', daysAgo: 61, dueAfter: 30 }, of('Parboiled rice, 50 kg', '15'))
  const takesBack = await act(createCreditNote, { originalId: twice.id, reason: 'Invoiced twice' })
  await act(finaliseInvoice, takesBack)

  // The bank returned the cheque, and the lorry had to wait.
  const haulage = await sell(
    { to: 'Kano Textiles PLC', daysAgo: 52, dueAfter: 30, supplyDate: dayBefore(55), charge: naira(5_000_00n) },
    of('Delivery within Lagos', '6'),
  )
  const cheque = await payAll(haulage, 40, '000231', 'cheque')
  await act(invoiceOperations.reversePayment, { id: haulage.id, paymentId: cheque.payment.id })
  const waited = [of('Delivery within Lagos', '0.5', { description: 'Waiting time at the gate' })]
  const wait = { originalId: haulage.id, reason: 'The lorry waited for four hours', lines: waited }
  await act(finaliseInvoice, await act(invoiceOperations.createDebitNote, wait))

  const household = await sell(
    { to: 'Chiamaka Obi', daysAgo: 45, dueAfter: 14, notes: 'Thank you for your custom.' },
    of('Parboiled rice, 50 kg', '1'),
    of('Palm oil, 25 litres', '2'),
  )

  // From an earlier bookkeeping system: own numbers, rates instead of categories, and declared payments.
  const before = { quantity: exactly('1'), unitCode: 'EA', taxPercent: exactly('7.5') }
  await sell(
    { type: 'prepayment', number: 'DEP-0091', to: 'Bello Foods Ltd', daysAgo: 38, declaredPaymentStatus: 'paid' },
    { ...before, description: 'Deposit on the December order', hsnCode: '1511.10', unitPrice: exactly('400000') },
  )
  await sell(
    { number: 'TILL/0452', to: 'Adébáyọ̀ & Sons', daysAgo: 30, dueAfter: 0, declaredPaymentStatus: 'paid' },
    { ...before, description: 'Palm oil, one can, paid in cash', hsnCode: '1511.10', unitPrice: exactly('1950.01') },
  )

  const stock = await sell(
    { to: 'Bello Foods Ltd', daysAgo: 24, dueAfter: 60, allowance: naira(25_000_00n) },
    ...stockOrder,
  )

  await sell(
    {
      to: 'Accra Imports',
      daysAgo: 17,
      dueAfter: 30,
      currency: 'GBP',
      allowance: naira(45_00n),
      charge: naira(120_00n),
    },
    { ...exportedOil, quantity: exactly('8'), unitPrice: exactly('168.75') },
    { ...advice, quantity: exactly('3'), unitPrice: exactly('72.4'), taxCategory: 'standard' },
  )
  // A deposit is paid, the second instalment is overdue in part, and two are to come.
  const shelves = await sell(
    {
      to: 'Kano Textiles PLC',
      daysAgo: 40,
      parts: [
        ['30', 0],
        ['30', 30],
        ['20', 60],
        ['20', 90],
      ],
    },
    of('Parboiled rice, 50 kg', '30'),
    of('Delivery within Lagos', '3'),
  )
  await pay(shelves, (shelves.payableMinor * 45n) / 100n, 38, 'NIP/000588')

  const rice = await sell(
    { to: 'Rivers State Hospitals', daysAgo: 12, dueAfter: 45 },
    of('Parboiled rice, 50 kg', '25'),
  )
  await act(createCreditNote, { originalId: rice.id, reason: 'A bag was torn', amount: naira(68_500_00n) })

  // The authority's answers depend on the tax numbers of these buyers.
  const oil = (to: DemoBuyer, daysAgo: number, cans: string) =>
    sell({ to, daysAgo, dueAfter: 30 }, of('Palm oil, 25 litres', cans), of('Delivery within Lagos', '1'))
  const refused = await oil('Sabon Gari Mini Mart', 9, '14')
  const unanswered = await oil('Lekki Cold Rooms Ltd', 8, '6')
  const lost = await oil('Onitsha Bridge Traders', 8, '22')
  const stumbled = await oil('Zaria Flour Mills', 7, '9')
  const mistaken = await oil('Ibadan Bakers Ltd', 6, '11')
  const undelivered = await oil('Calabar Freezers', 6, '17')

  // Over the counter: without a buyer to deliver to, the submission ends at the authority.
  const counter = await sell({ kind: 'B2C', daysAgo: 5 }, of('Palm oil, 25 litres', '1'))

  // Today's drafts.
  await oil('Bello Foods Ltd', 4, '10')
  const changing = await sell({ to: 'Adébáyọ̀ & Sons', daysAgo: 3, dueAfter: 30 }, of('Palm oil, 25 litres', '8'))
  await act(collectionOperations.reopenInvoice, changing)
  await draft(
    { to: 'Bello Foods Ltd', daysAgo: 1, dueAfter: 30, periodStart: dayBefore(30), periodEnd: dayBefore(1) },
    of('Bookkeeping, by the hour', '6.25'),
  )
  await draft({ kind: 'B2B', daysAgo: 0 }, of('Palm oil, 25 litres', '30', { discount: naira(4_000_00n) }))
  // Last, because rendering them continues in the background.
  if (mayMail) {
    await act(invoiceOperations.sendInvoice, household)
    await act(invoiceOperations.sendInvoice, stock)
  }
  return {
    submitted: [opening, twice, household, stock, counter, refused, unanswered, lost, stumbled].map(({ id }) => id),
    note: { id: takesBack.id, corrects: twice.id },
    cancelled: mistaken.id,
    cancelling: { id: undelivered.id, buyerId: buyers['Calabar Freezers'], laterTaxId: '20655812-9002' },
  }
}
