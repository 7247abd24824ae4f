import type { Authority } from '../../jurisdictions/port.ts'
import type { SystemCaller } from '../../kernel/callers.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import {
  type Inside,
  type Outside,
  operation,
  preparedOperation,
  reading,
} from '../../platform/operations/operation.ts'
import { findConnectionInCountry, isConnected } from '../tax-connection/index.ts'
import { type Arrival, deleteArrival, deleteArrivals, listArrivals, saveArrivalLater } from './arrivals.store.ts'
import { askAbout, couldNotRead, inTime, openDoor } from './ask-authority.ts'
import { acknowledgeInvoicesJob, type Feed, keptAtOnce, keyOfTenant, nextTry, receiveInvoicesJob } from './feed.ts'
import { saveFeedError } from './feeds.store.ts'
import { isAddressed, keepDocument } from './keep-document.ts'
import type { ReceivedInvoiceId } from './received-invoice.ts'
import { listToAcknowledge, saveAcknowledged, saveAcknowledgeLater } from './received-invoices.store.ts'
import { feedOf } from './sync.ts'

const ours = { needs: [], refuses: [] } as const
const acknowledgedAtOnce = 20

interface ToAcknowledge {
  readonly id: ReceivedInvoiceId
  readonly reference: string
  readonly acknowledgeTries: number
}

/** What waits for a tenant: some of it, and the feed by which it came. */
export interface Waiting<What> {
  /** nothing when the tenant does not receive any more */
  readonly feed: Feed | undefined
  readonly items: readonly What[]
  /** as much waited as is taken in one go: there may be more */
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
  async (context: Outside<SystemCaller>, tenant: Tenant): Promise<Waiting<Arrival>> => {
    const items = await listArrivals(context.db, tenant, context.now, keptAtOnce)
    return { feed: await feedOfTenant(context, tenant), items, isFull: items.length === keptAtOnce }
  },
)

export const findToAcknowledge = reading(
  ours,
  async (context: Outside<SystemCaller>, tenant: Tenant): Promise<Waiting<ToAcknowledge>> => {
    const items = await listToAcknowledge(context.db, tenant, context.now, acknowledgedAtOnce)
    return { feed: await feedOfTenant(context, tenant), items, isFull: items.length === acknowledgedAtOnce }
  },
)

/** Who does not receive any more has agreed to nothing: what was fetched for them is dropped. */
export const dropArrivals = operation(ours, ({ tx }: Inside<SystemCaller>, tenant: Tenant) =>
  deleteArrivals(tx, tenant),
)

export interface OfTenant<What> {
  readonly tenant: Tenant
  readonly feed: Feed
  readonly what: What
}

export async function authorityAt(context: Outside<SystemCaller>, feed: Feed): Promise<Authority | undefined> {
  return (await openDoor(context, feed, 'authorityForWork'))?.authority
}

/** Looks up one document that was fetched, judges and keeps it. What the authority does not say clearly is asked again later. */
export const keepArrival = preparedOperation(
  ours,
  async (context: Outside<SystemCaller>, { feed, what }: OfTenant<Arrival>) => {
    const copy = context.ports.jurisdictions.of(feed.country)?.reporting.readCopy(Buffer.from(what.document))
    const authority = await authorityAt(context, feed)
    return { copy, told: copy && authority && (await askAbout(authority, copy)) }
  },
  async (context: Inside<SystemCaller>, { tenant, feed, what }, { copy, told }): Promise<void> => {
    const { tx, now } = context
    // It was read when it was fetched; rules that changed since may say otherwise.
    if (!copy || !isAddressed(copy)) return await deleteArrival(tx, tenant, what.reference)
    if (told?.kind === 'told')
      return await keepDocument(context, tenant, feed.country, { copy, document: what.document }, told)
    await saveArrivalLater(tx, tenant, what.reference, nextTry(now, what.tries), null)
    if (told) await saveFeedError(tx, feed, couldNotRead(told.why))
  },
)

/** A document that we failed to keep is set aside with the reason, and tried again later and later. */
export const setArrivalAside = operation(
  ours,
  ({ tx, now }: Inside<SystemCaller>, { tenant, what, problem }: OfTenant<Arrival> & { readonly problem: string }) =>
    saveArrivalLater(tx, tenant, what.reference, nextTry(now, what.tries), problem),
)

/** Tells the sender that we have it. Repeating it does no harm. */
export const acknowledgeReceived = preparedOperation(
  ours,
  async (context: Outside<SystemCaller>, { feed, what }: OfTenant<ToAcknowledge>) =>
    await (await authorityAt(context, feed))?.acknowledge(what.reference, inTime()),
  async ({ tx, now }: Inside<SystemCaller>, { tenant, what }, answer): Promise<void> => {
    if (answer?.kind === 'done') await saveAcknowledged(tx, tenant, what.id, now)
    else await saveAcknowledgeLater(tx, tenant, what.id, nextTry(now, what.acknowledgeTries))
  },
)

/** The acknowledgement failed on our side: it is tried again later and later. */
export const acknowledgeLater = operation(
  ours,
  ({ tx, now }: Inside<SystemCaller>, { tenant, what }: OfTenant<ToAcknowledge>) =>
    saveAcknowledgeLater(tx, tenant, what.id, nextTry(now, what.acknowledgeTries)),
)

/** There may be more than was done in one go. */
export const askToReceive = operation(ours, async ({ enqueue }: Inside<SystemCaller>, tenant: Tenant) =>
  enqueue(receiveInvoicesJob, tenant, { key: keyOfTenant(tenant) }),
)
export const askToAcknowledge = operation(ours, async ({ enqueue }: Inside<SystemCaller>, tenant: Tenant) =>
  enqueue(acknowledgeInvoicesJob, tenant, { key: keyOfTenant(tenant) }),
)
