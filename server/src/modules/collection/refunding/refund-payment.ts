import type { Caller, TokenCaller } from '../../../kernel/callers.ts'
import type { Decimal } from '../../../kernel/decimal.ts'
import { newId } from '../../../kernel/ids.ts'
import { checkedMinor, moneyInWords } from '../../../kernel/money-words.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import {
  type CallOutcome,
  exchange,
  type Inside,
  type Outside,
  reading,
} from '../../../platform/operations/operation.ts'
import { contextOf, emitMoves, move, takeOff } from '../applying/move-money.ts'
import { type Move, refundableMinor } from '../payments/payment-balances.ts'
import type { ReceivedPayment, ReceivedPaymentId } from '../payments/received-payment.ts'
import { findPayment, lockPayment } from '../payments/received-payments.store.ts'
import { findSettledAt } from '../payouts/settlements.store.ts'
import { keeperOf, refusedBy } from '../providers/asking.ts'
import type { CollectionProvider, RefundOrder } from '../providers/collection-provider.ts'
import { BalanceTooLow, CollectionRefusal } from '../providers/provider-refusals.ts'
import { nextTry, type Refund, type RefundId } from './refund.ts'
import { providerNames, sourceOfRefund } from './refund-source.ts'
import { type DueRefund, findRefund, insertRefund, listRefundsDue, lockRefund, saveClaimed } from './refunds.store.ts'
import { type RefundAnswer, settleRefund } from './settle-refund.ts'

interface RefundIntent extends Tenant {
  readonly refundId: RefundId
  readonly paymentId: ReceivedPaymentId
}

export interface RefundResult {
  readonly payment: ReceivedPayment
  readonly refund: Refund
  /** Which money pays the refund, in words. */
  readonly paidFrom: string
}

/** Reserves the money: the unmatched part first, then credit, then applied money. */
async function setAside(
  context: Inside<Caller>,
  tenant: Tenant,
  before: ReceivedPayment,
  { id: refundId, amountMinor }: Pick<Refund, 'id' | 'amountMinor'>,
): Promise<{ creditedMinor: bigint }> {
  const short = amountMinor > before.unmatchedMinor ? amountMinor - before.unmatchedMinor : 0n
  const creditedMinor = short < before.creditedMinor ? short : before.creditedMinor
  const paid = short - creditedMinor
  const place = await contextOf(context, tenant, before)
  const moves: Move[] = [
    ...(creditedMinor > 0n ? [{ type: 'release_credit', amountMinor: creditedMinor, refundId } as const] : []),
    ...(paid > 0n ? await takeOff(context, place, before, paid, refundId) : []),
    { type: 'refund', amountMinor, refundId },
  ]
  const after = await move(context, tenant, before, moves)
  emitMoves(
    context,
    tenant,
    before,
    after,
    moves.filter(({ type }) => type !== 'apply'),
  )
  return { creditedMinor }
}

async function orderOf({ db, ports }: Outside<Caller>, intent: RefundIntent) {
  const { organisationId, mode, paymentId, refundId } = intent
  const tenant = { organisationId, mode }
  const payment = await findPayment(db, tenant, paymentId)
  const refund = await findRefund(db, tenant, refundId)
  if (!payment || !refund) throw new Error('a refund is there as long as its payment is')
  const order: RefundOrder = {
    key: refund.id,
    transfer: payment.providerReference,
    amountMinor: refund.amountMinor,
    reason: refund.reason ?? '',
  }
  return { provider: keeperOf(ports, tenant, payment.provider), order, isReversed: payment.reversedAt !== null }
}

/** The provider took the order and did not carry it out. It gives no reason where it is asked. */
const notCarriedOut = ({ name }: CollectionProvider, { key }: RefundOrder): RefundAnswer => ({
  kind: 'failed',
  reason: `${providerNames[name]} took the order and could not carry it out, so nothing was sent to the payer. Ask for the refund again. If it fails again, look at refund ${key} in the dashboard of ${providerNames[name]}`,
})

/**
 * A known key sends nothing a second time. If the sender's bank has taken the transfer back, nothing is sent: the
 * seller would pay with money that is gone, and not every provider refuses that.
 */
async function send(context: Outside<Caller> & { signal: AbortSignal }, intent: RefundIntent): Promise<RefundAnswer> {
  const { provider, order, isReversed } = await orderOf(context, intent)
  if (isReversed)
    return { kind: 'failed', reason: 'The sender’s bank took the transfer back before the refund was sent.' }
  try {
    const refundStatus = await provider.refund(order, context.signal)
    if (refundStatus === 'failed') return notCarriedOut(provider, order)
    return { kind: refundStatus === 'sent' ? 'sent' : 'pending' }
  } catch (error) {
    if (error instanceof BalanceTooLow) return { kind: 'failed', reason: error.message, hasNoBalance: true }
    if (error instanceof CollectionRefusal) return { kind: 'failed', reason: error.message }
    throw error
  }
}

/**
 * Refunds received money. The refund and the parts that it takes are stored before the provider is called, and its id
 * is the provider's idempotency key. No retry pays twice, and a refund with a lost answer is looked up and completed
 * later.
 */
export const refundPayment = exchange(
  {
    needs: ['collection.manage'],
    refuses: [
      'resource.not_found',
      'state.changed',
      'collection.refund.too_much',
      'collection.refund.no_balance',
      'collection.provider_refused',
    ],
  },
  {
    name: 'refund-received-payment',
    deadlineMs: 15_000,
    intend: async (
      context: Inside<TokenCaller>,
      asked: { id: ReceivedPaymentId; amount: Decimal | null; reason: string | null },
    ): Promise<RefundIntent | Refusal> => {
      const { tx, caller, now, realNow } = context
      const { tenant } = caller
      const payment = await lockPayment(tx, tenant, asked.id)
      if (!payment) throw refuse('resource.not_found')
      const left = refundableMinor(payment)
      const amountMinor = asked.amount === null ? left : checkedMinor('amount', asked.amount, payment.currency)
      if (amountMinor > left || left === 0n)
        throw refuse('collection.refund.too_much', {
          details: [
            { path: 'amount', rule: 'left', message: `must be at most ${moneyInWords(left, payment.currency)}` },
          ],
        })
      const id: RefundId = newId()
      const { creditedMinor } = await setAside(context, tenant, payment, { id, amountMinor })
      await insertRefund(tx, tenant, {
        id,
        paymentId: payment.id,
        state: 'pending',
        amountMinor,
        creditedMinor,
        reason: asked.reason,
        failure: null,
        tries: 0,
        dueAt: nextTry(realNow, 1),
        askedAt: now,
        settledAt: null,
      })
      return { ...tenant, refundId: id, paymentId: payment.id }
    },
    call: send,
    inquire: async (
      context: Outside<Caller> & { signal: AbortSignal },
      intent: RefundIntent,
    ): Promise<RefundAnswer> => {
      const { provider, order } = await orderOf(context, intent)
      const refundStatus = await provider.findRefund(order, context.signal)
      if (refundStatus === 'failed') return notCarriedOut(provider, order)
      return { kind: refundStatus === 'sent' ? 'sent' : 'pending' }
    },
    settle: async (
      context: Inside<Caller>,
      { organisationId, mode, ...ids }: RefundIntent,
      outcome: CallOutcome<RefundAnswer>,
    ): Promise<RefundResult | Refusal> => {
      const answer: RefundAnswer = outcome.kind === 'answered' ? outcome.answer : { kind: 'pending' }
      const tenant = { organisationId, mode }
      const settled = await settleRefund(context, tenant, ids, answer)
      const { zone } = await contextOf(context, tenant, settled.payment)
      const paidFrom = sourceOfRefund(settled.payment, await findSettledAt(context.tx, tenant, settled.payment), zone)
      if (settled.refund.state !== 'failed') return { ...settled, paidFrom }
      const refused = refusedBy(`${settled.refund.failure ?? ''}. ${paidFrom}`)
      const hasNoBalance = answer.kind === 'failed' && answer.hasNoBalance
      return hasNoBalance ? refuse('collection.refund.no_balance', { message: refused.message }) : refused
    },
  },
)

const followMs = 15_000
/** After this time, an order that was in flight at the deadline has reached the provider and can be found. */
const arrivesWithinMs = 30_000

/**
 * Asks for the result of an open refund, and sends it again under the same key if the provider has never received it.
 * Some providers know no idempotency keys, so a worker first moves the next attempt past its own call.
 */
export const followRefund = exchange(
  { needs: [], refuses: ['resource.not_found'] },
  {
    name: 'follow-refund',
    deadlineMs: followMs,
    intend: async (
      { tx, realNow: now }: Inside<Caller>,
      { organisationId, mode, id }: Tenant & { id: RefundId },
    ): Promise<RefundIntent | Refusal> => {
      const tenant = { organisationId, mode }
      const refund = await lockRefund(tx, tenant, id)
      const isDue = refund?.state === 'pending' && refund.dueAt !== null && refund.dueAt <= now
      if (!refund || !isDue) return refuse('resource.not_found')
      await saveClaimed(tx, tenant, id, new Date(now.getTime() + followMs + arrivesWithinMs))
      return { organisationId, mode, refundId: id, paymentId: refund.paymentId }
    },
    call: async (context: Outside<Caller> & { signal: AbortSignal }, intent: RefundIntent): Promise<RefundAnswer> => {
      const { provider, order } = await orderOf(context, intent)
      const refundStatus = await provider.findRefund(order, context.signal)
      if (refundStatus === 'unknown') return await send(context, intent)
      if (refundStatus === 'failed') return notCarriedOut(provider, order)
      return { kind: refundStatus }
    },
    inquire: { none: 'it is asked again when its next try is due' },
    settle: async (
      context: Inside<Caller>,
      { organisationId, mode, ...ids }: RefundIntent,
      outcome: CallOutcome<RefundAnswer>,
    ): Promise<Refund> => {
      const answer: RefundAnswer = outcome.kind === 'answered' ? outcome.answer : { kind: 'pending' }
      return (await settleRefund(context, { organisationId, mode }, ids, answer)).refund
    },
  },
)

export const findRefundsDue = reading(
  { needs: [], refuses: [] },
  ({ db, realNow: now }: Outside<Caller>, after: DueRefund | undefined) =>
    listRefundsDue(db, { now, after, limit: 50 }),
)
