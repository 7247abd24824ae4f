import type { Authority } from '../../../jurisdictions/port.ts'
import type { SystemCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import {
  type Inside,
  type Outside,
  operation,
  preparedOperation,
  reading,
} from '../../../platform/operations/operation.ts'
import { findConnectionInCountry, isConnected } from '../../tax-connection/index.ts'
import { askAbout, couldNotRead, inTime, openAuthority } from '../feeds/ask-authority.ts'
import {
  acknowledgeInvoicesJob,
  type Feed,
  feedOf,
  keptAtOnce,
  keyOfTenant,
  nextTry,
  receiveInvoicesJob,
} from '../feeds/feed.ts'
import { saveFeedError } from '../feeds/feeds.store.ts'
import type { ReceivedInvoiceId } from '../received-invoice.ts'
import { listToAcknowledge, saveAcknowledged, saveAcknowledgeLater } from '../received-invoices.store.ts'
import { type Arrival, deleteArrival, deleteArrivals, listArrivals, saveArrivalLater } from './arrivals.store.ts'
import { isAddressed, keepDocument } from './keep-document.ts'

const ours = { needs: [], refuses: [] } as const
const acknowledgedAtOnce = 20

interface UnacknowledgedInvoice {
  readonly id: ReceivedInvoiceId
  readonly reference: string
  readonly acknowledgeTries: number
}

/** A batch of waiting rows and the feed that they came through. */
export interface WaitingBatch<What> {
  /** Undefined if the tenant no longer receives. */
  readonly feed: Feed | undefined
  readonly items: readonly What[]
  /** The batch is full, so there may be more. */
  readonly isFull: boolean
}

export async function feedOfTenant(
  { db }: Pick<Outside<SystemCaller>, 'db'>,
  tenant: Tenant,
): Promise<Feed | undefined> {
  const connection = await findConnectionInCountry(db, tenant)
  return connection && isConnected(connection) ? feedOf(connection.country, { tenant }, connection) : undefined
}

export const findArrivals = reading(
  ours,
  async (context: Outside<SystemCaller>, tenant: Tenant): Promise<WaitingBatch<Arrival>> => {
    const items = await listArrivals(context.db, tenant, context.realNow, keptAtOnce)
    return { feed: await feedOfTenant(context, tenant), items, isFull: items.length === keptAtOnce }
  },
)

export const findToAcknowledge = reading(
  ours,
  async (context: Outside<SystemCaller>, tenant: Tenant): Promise<WaitingBatch<UnacknowledgedInvoice>> => {
    const items = await listToAcknowledge(context.db, tenant, context.realNow, acknowledgedAtOnce)
    return { feed: await feedOfTenant(context, tenant), items, isFull: items.length === acknowledgedAtOnce }
  },
)

/** A tenant that no longer receives has withdrawn its consent, so its fetched documents are deleted. */
export const dropArrivals = operation(ours, ({ tx }: Inside<SystemCaller>, tenant: Tenant) =>
  deleteArrivals(tx, tenant),
)

export interface OfTenant<What> {
  readonly tenant: Tenant
  readonly feed: Feed
  readonly what: What
}

export async function authorityAt(context: Outside<SystemCaller>, feed: Feed): Promise<Authority | undefined> {
  return (await openAuthority(context, feed, 'authorityForWork'))?.authority
}

/** Looks up, validates and stores one fetched document. An unclear answer is retried later. */
export const keepArrival = preparedOperation(
  ours,
  async (context: Outside<SystemCaller>, { feed, what }: OfTenant<Arrival>) => {
    const copy = context.ports.jurisdictions.of(feed.country)?.reporting.readCopy(Buffer.from(what.document))
    const authority = await authorityAt(context, feed)
    return { copy, status: copy && authority && (await askAbout(authority, copy)) }
  },
  async (context: Inside<SystemCaller>, { tenant, feed, what }, { copy, status }): Promise<void> => {
    const { tx, realNow } = context
    // The document was readable when it was fetched, but the rules may have changed since.
    if (!copy || !isAddressed(copy)) return await deleteArrival(tx, tenant, what.reference)
    if (status?.kind === 'known')
      return await keepDocument(context, tenant, feed.country, { copy, document: what.document }, status)
    await saveArrivalLater(tx, tenant, what.reference, nextTry(realNow, what.tries), null)
    if (status) await saveFeedError(tx, feed, couldNotRead(status.why))
  },
)

/** Saves why a document could not be stored. The next attempt follows at a growing interval. */
export const setArrivalAside = operation(
  ours,
  (
    { tx, realNow }: Inside<SystemCaller>,
    { tenant, what, problem }: OfTenant<Arrival> & { readonly problem: string },
  ) => saveArrivalLater(tx, tenant, what.reference, nextTry(realNow, what.tries), problem),
)

/** Confirms receipt to the sender. Idempotent. */
export const acknowledgeReceived = preparedOperation(
  ours,
  async (context: Outside<SystemCaller>, { feed, what }: OfTenant<UnacknowledgedInvoice>) =>
    await (await authorityAt(context, feed))?.acknowledge?.(what.reference, inTime()),
  async ({ tx, now, realNow }: Inside<SystemCaller>, { tenant, what }, answer): Promise<void> => {
    if (answer?.kind === 'done') await saveAcknowledged(tx, tenant, what.id, now)
    else await saveAcknowledgeLater(tx, tenant, what.id, nextTry(realNow, what.acknowledgeTries))
  },
)

/** The confirmation failed on our side. The next attempt follows at a growing interval. */
export const acknowledgeLater = operation(
  ours,
  ({ tx, realNow }: Inside<SystemCaller>, { tenant, what }: OfTenant<UnacknowledgedInvoice>) =>
    saveAcknowledgeLater(tx, tenant, what.id, nextTry(realNow, what.acknowledgeTries)),
)

/** The last job may have left more to do. */
export const askToReceive = operation(ours, async ({ enqueue }: Inside<SystemCaller>, tenant: Tenant) =>
  enqueue(receiveInvoicesJob, tenant, { key: keyOfTenant(tenant) }),
)
export const askToAcknowledge = operation(ours, async ({ enqueue }: Inside<SystemCaller>, tenant: Tenant) =>
  enqueue(acknowledgeInvoicesJob, tenant, { key: keyOfTenant(tenant) }),
)
