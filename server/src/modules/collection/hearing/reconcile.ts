import { type SystemCaller, systemCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import type { Machine, Runner } from '../../../platform/operations/runner.ts'
import { type DifferenceKind, saveDifference, settleDifferences } from '../payments/differences.store.ts'
import { type ReceivedPayment, type ReceivedPaymentId, toldPayment } from '../payments/received-payment.ts'
import { findPayment } from '../payments/received-payments.store.ts'
import type { CollectionProvider, Transfer } from '../providers/collection-provider.ts'
import { type Feed, saveReconciled } from './notifications.store.ts'
import { listRecorded, sumSent } from './reconcile.store.ts'
import { readStatement } from './sweep.ts'
import { bringIn } from './take-transfer.ts'

const origin = { requestId: 'reconcile-collection', address: '', userAgent: '' }
const day = 86_400_000
/** Providers repeat themselves for three days; what is older than that stands. */
const reachMs = 4 * day
/** What came just now may be in one of the books and not yet in the other. */
const settlingMs = 10 * 60_000

interface Found {
  readonly kind: DifferenceKind
  readonly oursMinor: bigint | null
  readonly theirsMinor: bigint | null
}

/** Where the provider's books and ours say different things of one payment. */
export function differencesOf(
  payment: Pick<ReceivedPayment, 'amountMinor' | 'currency' | 'reversedAt'>,
  sentMinor: bigint,
  theirs: Transfer | undefined,
): Found[] {
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

/** Notes what differs, and tells of what is new; what does not differ any more is settled. */
const noteDifferences = operation(
  { needs: [], refuses: [] },
  async (
    { tx, now, emit, log }: Inside<SystemCaller>,
    { tenant, id, found }: { tenant: Tenant; id: ReceivedPaymentId; found: readonly Found[] },
  ): Promise<void> => {
    const payment = await findPayment(tx, tenant, id)
    if (!payment) return
    for (const difference of found) {
      if (!(await saveDifference(tx, tenant, id, { ...difference, foundAt: now }))) continue
      const about = { ...tenant, objectId: id, version: payment.version }
      emit('collection.difference_found', about, { ...toldPayment(payment), difference: difference.kind })
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

async function reconcileWith({ db, clock }: Machine, runner: Runner, provider: CollectionProvider): Promise<void> {
  const feed: Feed = { provider: provider.name, mode: provider.mode }
  const now = clock.now()
  const span = { from: new Date(now.getTime() - reachMs), to: new Date(now.getTime() - settlingMs) }
  const note = (tenant: Tenant, id: ReceivedPaymentId, found: readonly Found[]) =>
    runner.run(noteDifferences, { caller: systemCaller, origin, input: { tenant, id, found } })

  const theirs = new Map<string, Transfer>()
  const isWhole = await readStatement(provider, span, async (page) => {
    for (const transfer of page) theirs.set(transfer.reference, transfer)
  })
  const ours = await listRecorded(db, feed, span)
  const known = new Set(ours.map(({ providerReference }) => providerReference))
  for (const transfer of theirs.values()) {
    if (known.has(transfer.reference)) continue
    // It is in the books from now on; that it was not is an exception that somebody should see.
    const taken = await bringIn(runner, feed, transfer)
    if (taken?.isNew)
      await note(taken.tenant, taken.id, [{ kind: 'missing_here', oursMinor: null, theirsMinor: transfer.amountMinor }])
  }
  if (!isWhole) return
  const sent = await sumSent(db, feed, span)
  for (const { organisationId, mode, ...payment } of ours) {
    const their = theirs.get(payment.providerReference)
    const found = differencesOf(payment, sent.get(payment.id) ?? 0n, their)
    if (their?.isReversed && payment.reversedAt === null) await bringIn(runner, feed, their)
    if (found.length > 0 || payment.hasDifferences) await note({ organisationId, mode }, payment.id, found)
  }
  await saveReconciled(db, feed, now)
}

/** Compares our books with each provider's statement; whatever differs becomes an exception. */
export async function reconcileCollection(machine: Machine, runner: Runner): Promise<void> {
  const { ports, log } = machine
  for (const provider of ports.collectionProviders.all)
    await reconcileWith(machine, runner, provider).catch((error: unknown) =>
      log.warn('collection.not_reconciled', { provider: provider.name, error }),
    )
}
