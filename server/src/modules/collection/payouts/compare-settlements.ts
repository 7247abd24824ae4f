import { type SystemCaller, systemCaller } from '../../../kernel/callers.ts'
import { oneByOne } from '../../../platform/jobs/failing-items.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import {
  type DifferenceKind,
  saveDifference,
  settleDifferences,
  settlementKinds,
} from '../payments/differences.store.ts'
import { receivedPaymentPayload } from '../payments/received-payment.ts'
import { findPayment } from '../payments/received-payments.store.ts'
import { listUnexplained, type UnexplainedPayment } from './settlements.store.ts'

const origin = { requestId: 'compare-settlements', address: '', userAgent: '' }
const day = 86_400_000
/** Older payments are compared again only while they have an open difference. */
const reachMs = 31 * day
/** Providers pay out on the same or the next working day; four days cover a long weekend. */
const lateAfterMs = 4 * day
const most = 1_000

/** Saves or closes a difference between a payment and its payout. */
const noteSettlementDifference = operation(
  { time: 'real', needs: [], refuses: [] },
  async (
    { tx, now, emit, log }: Inside<SystemCaller>,
    { organisationId, mode, id, kind, oursMinor, theirsMinor }: UnexplainedPayment,
  ): Promise<void> => {
    const tenant = { organisationId, mode }
    const payment = await findPayment(tx, tenant, id)
    if (!payment) return
    const found = settlementKinds.find((one) => one === kind)
    const still: DifferenceKind[] = found ? [found] : []
    await settleDifferences(tx, tenant, id, still, now, settlementKinds)
    if (!found) return
    if (!(await saveDifference(tx, tenant, id, { kind: found, oursMinor, theirsMinor, foundAt: now }))) return
    const about = { ...tenant, objectId: id, version: payment.version }
    emit('collection.difference_found', about, { ...receivedPaymentPayload(payment), difference: found })
    log.error('collection.difference', { organisationId, reference: id, reason: found })
  },
)

/**
 * Compares payments with payouts to sellers. A difference is an exception until it is explained. A failure of one does
 * not stop the others.
 */
export async function compareSettlements(runtime: Runtime, runner: Runner): Promise<void> {
  const { db, clock } = runtime
  const now = clock.now().getTime()
  const span = { from: new Date(now - reachMs), lateBefore: new Date(now - lateAfterMs) }
  const unexplained = await listUnexplained(db, span, settlementKinds, most)
  await oneByOne(runtime, 'collection.settlement_not_compared', unexplained, (input) =>
    runner.run(noteSettlementDifference, { caller: systemCaller, origin, input }),
  )
}
