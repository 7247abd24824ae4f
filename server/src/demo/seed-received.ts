import type { UserCaller } from '../kernel/callers.ts'
import { businessDay } from '../kernel/days.ts'
import { Refusal } from '../kernel/refusals.ts'
import { receivedInvoiceOperations } from '../modules/received-invoices/index.ts'
import { systemClock } from '../platform/clock.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoOrigin } from './seed-organisation.ts'

const oilMill = { sellerName: 'Ijebu Oil Mill Ltd', sellerTaxId: '20174411-0001' }
const haulage = { sellerName: 'Sabo Haulage & Sons', sellerTaxId: '21885092-0001' }
const packers = { sellerName: 'Delta Packers', sellerTaxId: '23017754-0001' }

/**
 * Invoices of suppliers to the demo organisation. The simulated authority lets suppliers sign and transmit them, and they arrive through
 * the feed. Without an answer of the authority there are none, and the demo still starts.
 */
export async function seedReceived(runner: Runner, owner: UserCaller): Promise<void> {
  const now = systemClock.now().getTime()
  const day = (days: number): string => businessDay(new Date(now + days * 86_400_000), 'Africa/Lagos')
  type OutsideInvoice = Parameters<typeof receivedInvoiceOperations.sendFromOutside.intend>[1]
  const send = (input: OutsideInvoice) =>
    runner.run(receivedInvoiceOperations.sendFromOutside, { caller: owner, origin: demoOrigin, input })
  try {
    const oil = await send({
      ...oilMill,
      number: 'IOM2041',
      issueDate: day(-21),
      dueDate: day(-7),
      lines: [{ description: 'Crude palm oil in drums', quantity: 12, unitPrice: 184_000, hsnCode: '1511.10' }],
    })
    await send({
      ...oilMill,
      number: 'IOM2077',
      type: 'credit_note',
      corrects: oil.reference,
      issueDate: day(-18),
      lines: [{ description: 'One drum came back', quantity: 1, unitPrice: 184_000, hsnCode: '1511.10' }],
    })
    await send({
      ...haulage,
      number: 'SH0593',
      issueDate: day(-5),
      dueDate: day(25),
      lines: [{ description: 'Carriage from Ijebu to Ikoyi', quantity: 2, unitPrice: 95_000, serviceCode: '4923' }],
    })
    await send({
      ...packers,
      number: 'DP118',
      issueDate: day(-2),
      dueDate: day(12),
      currency: 'USD',
      lines: [{ description: 'Printed cartons', quantity: 5_000, unitPrice: 0.42, hsnCode: '4819.10' }],
    })
    // Due before its day of issue: the reader gets a warning.
    await send({
      ...packers,
      number: 'DP121',
      issueDate: day(-1),
      dueDate: day(-3),
      lines: [{ description: 'Labels on rolls', quantity: 40, unitPrice: 3_200, hsnCode: '4821.10' }],
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}
