import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay, dayAfter } from '../../kernel/days.ts'
import { invalid, refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { type BuyerId, emitBuyerEvent, lockBuyer } from '../buyers/index.ts'
import { derivedStatuses, emitInvoiceEvent, type Invoice, type InvoiceId, lockOwnInvoice } from '../invoices/index.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { type InvoiceReminders, invoiceReminders } from './read-reminders.ts'
import { type BuyerChoice, isCovered, longestPromiseDays } from './reminder-plan.ts'
import {
  findPlan,
  noPause,
  type ReminderPause,
  readFacts,
  readSetting,
  savePause,
  saveSetting,
} from './reminders.store.ts'

type Context = Inside<TokenCaller>
interface InvoiceRef {
  readonly id: InvoiceId
}

async function lockWithPause(
  { tx, caller }: Context,
  { id }: InvoiceRef,
): Promise<{ invoice: Invoice; pause: ReminderPause }> {
  const { invoice } = await lockOwnInvoice(tx, caller.tenant, id)
  const facts = (await readFacts(tx, caller.tenant, [id])).get(id)
  return { invoice, pause: facts ?? noPause }
}

const after = (context: Context, invoice: Invoice): Promise<InvoiceReminders> =>
  invoiceReminders({ ...context, db: context.tx }, invoice)

const canBeDisputed = (invoice: Invoice): boolean => derivedStatuses.isOwed(invoice) && invoice.type !== 'credit_note'

/** Marks an invoice as disputed by its buyer. A second call replaces the reason. */
export const disputeInvoice = operation(
  {
    needs: ['invoice.record_payment'],
    refuses: ['resource.not_found', 'jurisdiction.unsupported', 'invoice.dispute.not_issued'],
  },
  async (context: Context, { id, reason }: InvoiceRef & { readonly reason: string }): Promise<InvoiceReminders> => {
    const { tx, caller, now } = context
    const { invoice, pause } = await lockWithPause(context, { id })
    if (!canBeDisputed(invoice)) throw refuse('invoice.dispute.not_issued')
    await savePause(tx, caller.tenant, id, { ...pause, disputedAt: pause.disputedAt ?? now, disputeReason: reason })
    emitInvoiceEvent(context, 'invoice.disputed', caller.tenant, invoice, { reason })
    return await after(context, invoice)
  },
)

export const resolveDispute = operation(
  {
    needs: ['invoice.record_payment'],
    refuses: ['resource.not_found', 'jurisdiction.unsupported', 'invoice.dispute.none'],
  },
  async (context: Context, ref: InvoiceRef): Promise<InvoiceReminders> => {
    const { tx, caller } = context
    const { invoice, pause } = await lockWithPause(context, ref)
    if (pause.disputedAt === null) throw refuse('invoice.dispute.none')
    await savePause(tx, caller.tenant, ref.id, { ...pause, disputedAt: null, disputeReason: null })
    emitInvoiceEvent(context, 'invoice.dispute_resolved', caller.tenant, invoice)
    return await after(context, invoice)
  },
)

export interface PromiseToPay extends InvoiceRef {
  readonly day: string
  readonly remark: string | null
}

/** Records that the buyer will pay on a day. A second call replaces the promise. */
export const promisePayment = operation(
  {
    needs: ['invoice.record_payment'],
    refuses: ['resource.not_found', 'jurisdiction.unsupported', 'request.invalid', 'invoice.promise.nothing_due'],
  },
  async (context: Context, { id, day, remark }: PromiseToPay): Promise<InvoiceReminders> => {
    const { tx, caller, ports, now } = context
    const { invoice, pause } = await lockWithPause(context, { id })
    if (!derivedStatuses.isOwed(invoice) || derivedStatuses.dueMinor(invoice) === 0n)
      throw refuse('invoice.promise.nothing_due')
    const today = businessDay(now, jurisdictionOf(ports, caller).zone)
    const latest = dayAfter(today, longestPromiseDays)
    if (day < today || day > latest)
      throw invalid([{ path: 'day', rule: 'range', message: `must be from today, ${today}, to ${latest}` }])
    await savePause(tx, caller.tenant, id, { ...pause, promisedOn: day, promiseRemark: remark, promisedAt: now })
    emitInvoiceEvent(context, 'invoice.payment_promised', caller.tenant, invoice, {
      promisedOn: day,
      remark,
    })
    return await after(context, invoice)
  },
)

export const withdrawPromise = operation(
  {
    needs: ['invoice.record_payment'],
    refuses: ['resource.not_found', 'jurisdiction.unsupported', 'invoice.promise.none'],
  },
  async (context: Context, ref: InvoiceRef): Promise<InvoiceReminders> => {
    const { tx, caller } = context
    const { invoice, pause } = await lockWithPause(context, ref)
    if (pause.promisedOn === null) throw refuse('invoice.promise.none')
    const without = { promisedOn: null, promiseRemark: null, promisedAt: null }
    await savePause(tx, caller.tenant, ref.id, { ...pause, ...without })
    emitInvoiceEvent(context, 'invoice.payment_promise_withdrawn', caller.tenant, invoice)
    return await after(context, invoice)
  },
)

/** Decides whether one buyer gets reminders of the plan. */
export const chooseBuyer = operation(
  { needs: ['buyer.update'], refuses: ['resource.not_found', 'jurisdiction.unsupported'] },
  async (
    context: Context,
    { id, choice }: { readonly id: BuyerId; readonly choice: BuyerChoice },
  ): Promise<BuyerChoice> => {
    const { tx, caller, ports, now } = context
    const { tenant } = caller
    const buyer = await lockBuyer(tx, tenant, id)
    if (!buyer) throw refuse('resource.not_found')
    const before = await readSetting(tx, tenant, id)
    if (before.choice === choice) return choice
    const scope = (await findPlan(tx, tenant))?.buyers ?? 'all'
    // A buyer who was left out gets no steps of days that have passed.
    const isNew = isCovered(scope, choice) && !isCovered(scope, before.choice)
    const since = isNew ? businessDay(now, jurisdictionOf(ports, caller).zone) : before.since
    await saveSetting(tx, tenant, id, { choice, since }, now)
    emitBuyerEvent(context, 'buyer.reminders_changed', tenant, buyer, { reminders: choice })
    return choice
  },
)
