import { type SystemCaller, systemCaller } from '../../../kernel/callers.ts'
import { businessDay } from '../../../kernel/days.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { oneByOne } from '../../../platform/jobs/failing-items.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import { type DifferenceKind, saveDifference, settleDifferences } from '../payments/differences.store.ts'
import { type ReceivedPayment, type ReceivedPaymentId, receivedPaymentPayload } from '../payments/received-payment.ts'
import { findPayment } from '../payments/received-payments.store.ts'
import type { CollectionProvider, Transfer } from '../providers/collection-provider.ts'
import { type Feed, saveReconciled } from './notifications.store.ts'
import { listRecorded, type Span, saveReconciledDay, sumSent } from './reconcile.store.ts'
import { setAsideUnreadable, takeIn } from './set-aside.ts'
import { readStatement } from './sweep.ts'

const origin = { requestId: 'reconcile-collection', address: '', userAgent: '' }
const day = 86_400_000
/** Providers repeat notifications for up to three days, so older days are final. */
const reachMs = 4 * day
/** A provider may list a transfer by another time than its arrival. The margin covers that difference. */
const marginMs = 10 * 60_000
/** A span with too many pages is halved, down to this length. */
const shortestMs = 15 * 60_000
/** Log name for a payment whose comparison failed. */
const notCompared = 'collection.payment_not_compared'
/** A transfer of the last minutes may be in one of the two ledgers only. */
const tooRecentMs = 10 * 60_000

interface FoundDifference {
  readonly kind: DifferenceKind
  readonly oursMinor: bigint | null
  readonly theirsMinor: bigint | null
}

/** Where the provider's statement of account and our ledger differ on one payment. */
export function differencesOf(
  payment: Pick<ReceivedPayment, 'amountMinor' | 'currency' | 'reversedAt'>,
  sentMinor: bigint,
  theirs: Transfer | undefined,
): FoundDifference[] {
  if (theirs === undefined) return [{ kind: 'missing_there', oursMinor: payment.amountMinor, theirsMinor: null }]
  const both = { oursMinor: payment.amountMinor, theirsMinor: theirs.amountMinor }
  return [
    ...(theirs.amountMinor === payment.amountMinor ? [] : [{ kind: 'amount', ...both } as const]),
    ...(theirs.currency === payment.currency ? [] : [{ kind: 'currency', ...both } as const]),
    ...(theirs.refundedMinor === null || theirs.refundedMinor === sentMinor
      ? []
      : [{ kind: 'refunded', oursMinor: sentMinor, theirsMinor: theirs.refundedMinor } as const]),
  ]
}

/** Saves differences, emits events for new ones, and closes those that no longer exist. */
const noteDifferences = operation(
  { time: 'real', needs: [], refuses: [] },
  async (
    { tx, now, emit, log }: Inside<SystemCaller>,
    { tenant, id, found }: { tenant: Tenant; id: ReceivedPaymentId; found: readonly FoundDifference[] },
  ): Promise<void> => {
    const payment = await findPayment(tx, tenant, id)
    if (!payment) return
    for (const difference of found) {
      if (!(await saveDifference(tx, tenant, id, { ...difference, foundAt: now }))) continue
      const about = { ...tenant, objectId: id, version: payment.version }
      emit('collection.difference_found', about, { ...receivedPaymentPayload(payment), difference: difference.kind })
      log.error('collection.difference', {
        organisationId: tenant.organisationId,
        reference: id,
        reason: difference.kind,
      })
    }
    await settleDifferences(
      tx,
      tenant,
      id,
      found.map(({ kind }) => kind),
      now,
    )
  },
)

/** Inputs of one comparison. */
interface Comparison {
  readonly runtime: Runtime
  readonly runner: Runner
  readonly provider: CollectionProvider
  readonly feed: Feed
}

interface ComparisonResult {
  readonly transfers: number
  readonly isWhole: boolean
}

/** Records transfers that only the provider knows, and saves differences in payments that both know. */
async function compare(
  { runtime, runner, feed }: Comparison,
  span: Span,
  theirs: ReadonlyMap<string, Transfer | undefined>,
  isWhole: boolean,
): Promise<void> {
  const { db } = runtime
  const note = (tenant: Tenant, id: ReceivedPaymentId, found: readonly FoundDifference[]) =>
    runner.run(noteDifferences, { caller: systemCaller, origin, input: { tenant, id, found } })
  const ours = await listRecorded(db, feed, span)
  const known = new Set(ours.map(({ providerReference }) => providerReference))
  for (const transfer of theirs.values()) {
    if (transfer === undefined || known.has(transfer.reference)) continue
    // The transfer is recorded now. That it was missing is still an exception for a person to see.
    const taken = await takeIn(runtime, runner, feed, transfer)
    if (!taken?.isNew) continue
    const missing: FoundDifference = { kind: 'missing_here', oursMinor: null, theirsMinor: transfer.amountMinor }
    await oneByOne(runtime, notCompared, [{ ...taken.tenant, id: taken.id }], ({ id }) =>
      note(taken.tenant, id, [missing]),
    )
  }
  const sent = await sumSent(db, feed, span)
  await oneByOne(runtime, notCompared, ours, async ({ organisationId, mode, ...payment }) => {
    const isRead = theirs.has(payment.providerReference)
    const their = theirs.get(payment.providerReference)
    // A payment is missing only if the whole statement of account was read and all of its entries are readable.
    if (their === undefined && (isRead || !isWhole)) return
    const found = differencesOf(payment, sent.get(payment.id) ?? 0n, their)
    if (their?.isReversed && payment.reversedAt === null) await takeIn(runtime, runner, feed, their)
    if (found.length > 0 || payment.hasDifferences) await note({ organisationId, mode }, payment.id, found)
  })
}

/**
 * Compares a span. If its statement of account has too many pages, the two halves are compared one after the other,
 * which bounds the memory used.
 */
async function compareStretch(comparison: Comparison, span: Span): Promise<ComparisonResult> {
  const { runtime, provider, feed } = comparison
  // Providers list transfers by other times than ours, so transfers near both ends are requested too.
  const asked = { from: new Date(span.from.getTime() - marginMs), to: new Date(span.to.getTime() + marginMs) }
  const theirs = new Map<string, Transfer | undefined>()
  const isWhole = await readStatement(provider, asked, async ({ transfers, unreadable }) => {
    for (const transfer of transfers)
      if (transfer.receivedAt >= span.from && transfer.receivedAt < span.to) theirs.set(transfer.reference, transfer)
    for (const { reference } of unreadable) theirs.set(reference, undefined)
    await setAsideUnreadable(runtime, feed, unreadable)
  })
  const lengthMs = span.to.getTime() - span.from.getTime()
  if (!isWhole && lengthMs > shortestMs) {
    const middle = new Date(span.from.getTime() + Math.floor(lengthMs / 2))
    theirs.clear()
    const first = await compareStretch(comparison, { from: span.from, to: middle })
    const second = await compareStretch(comparison, { from: middle, to: span.to })
    return { transfers: first.transfers + second.transfers, isWhole: first.isWhole && second.isWhole }
  }
  await compare(comparison, span, theirs, isWhole)
  return { transfers: theirs.size, isWhole }
}

/** Compares one day and saves the result. A failed day does not stop the others. */
async function compareDay(comparison: Comparison, span: Span): Promise<boolean> {
  const { runtime, provider, feed } = comparison
  const { db, clock, log } = runtime
  let compared: ComparisonResult = { transfers: 0, isWhole: false }
  let problem: string | null = null
  try {
    compared = await compareStretch(comparison, span)
    if (!compared.isWhole) problem = `more transfers within ${shortestMs / 60_000} minutes than can be read`
  } catch (error) {
    problem = error instanceof Error ? error.message.slice(0, 300) : 'failed'
    log.warn('collection.not_reconciled', { provider: provider.name, mode: provider.mode, error })
  }
  const dayOf = businessDay(span.from, 'UTC')
  if (problem !== null)
    log.error('collection.not_whole', {
      provider: provider.name,
      mode: provider.mode,
      reference: dayOf,
      reason: problem,
    })
  await saveReconciledDay(db, feed, { day: dayOf, checkedAt: clock.now(), ...compared, problem })
  return compared.isWhole
}

async function reconcileWith(runtime: Runtime, runner: Runner, provider: CollectionProvider): Promise<boolean> {
  const feed: Feed = { provider: provider.name, mode: provider.mode }
  const comparison = { runtime, runner, provider, feed }
  const now = runtime.clock.now()
  const end = now.getTime() - tooRecentMs
  let isWhole = true
  for (let from = Math.floor((now.getTime() - reachMs) / day) * day; from < end; from += day) {
    const span = { from: new Date(from), to: new Date(Math.min(from + day, end)) }
    isWhole = (await compareDay(comparison, span)) && isWhole
  }
  if (isWhole) await saveReconciled(runtime.db, feed, now)
  return isWhole
}

/**
 * Compares our ledger with each provider's statement of account, day by day. Differences become exceptions. Throws at
 * the end if something was left out, so that the queue retries.
 */
export async function reconcileCollection(runtime: Runtime, runner: Runner): Promise<void> {
  const incomplete: string[] = []
  for (const provider of runtime.ports.collectionProviders.all)
    if (!(await reconcileWith(runtime, runner, provider))) incomplete.push(`${provider.name} ${provider.mode}`)
  if (incomplete.length > 0) throw new Error(`not compared as a whole: ${incomplete.join(', ')}`)
}
