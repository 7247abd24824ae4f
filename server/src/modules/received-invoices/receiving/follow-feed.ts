import type { SystemCaller } from '../../../kernel/callers.ts'
import { businessDay } from '../../../kernel/days.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import {
  type Inside,
  type Outside,
  operation,
  preparedOperation,
  reading,
} from '../../../platform/operations/operation.ts'
import { findConnectionInCountry, isConnected, listConnectedUnder, listKeysInUse } from '../../tax-connection/index.ts'
import {
  couldNotRead,
  type FetchedDocument,
  type FetchFailure,
  fetchDocument,
  inTime,
  noAccess,
  openAuthority,
} from '../feeds/ask-authority.ts'
import {
  acknowledgeInvoicesJob,
  checkPaymentsJob,
  type Feed,
  feedOf,
  fetchedAtOnce,
  followFeedJob,
  installation,
  keyOfFeed,
  keyOfTenant,
  nextTry,
  receiveInvoicesJob,
} from '../feeds/feed.ts'
import {
  findFeed,
  insertReferences,
  listOpenReferences,
  type OpenReference,
  reopenReferences,
  saveFeedError,
  saveFeedPolled,
  saveReachBack,
  saveReferenceDone,
  saveReferenceLater,
} from '../feeds/feeds.store.ts'
import { listTenantsWithPayments } from '../payments.store.ts'
import { listTenantsToAcknowledge } from '../received-invoices.store.ts'
import { listTenantsToServe } from './arrivals.store.ts'
import { arrive, isAddressed } from './keep-document.ts'

const ours = { needs: [], refuses: [] } as const
const day = 86_400_000
/** The overlap catches documents that appear late. */
const overlapMs = 2 * day
/** How far back the first read of a feed goes. */
const firstReachMs = 30 * day

type PullAnswer =
  | { readonly kind: 'pulled'; readonly references: readonly string[] }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'gone' }

/**
 * Asks which documents are waiting for the owners of the keys, and stores new references. An unclear answer changes
 * only the error.
 */
export const pollFeed = preparedOperation(
  ours,
  async (context: Outside<SystemCaller>, feed: Feed): Promise<PullAnswer> => {
    const access = await openAuthority(context, feed, 'authorityForWork')
    if (!access) return { kind: 'gone' }
    if (!access.authority) return { kind: 'failed', error: noAccess }
    const { now } = context
    const feedState = await findFeed(context.db, feed)
    const since = feedState?.polledAt ?? new Date(now.getTime() - firstReachMs)
    const back = Math.min(since.getTime() - overlapMs, feedState?.reachBackTo?.getTime() ?? Number.POSITIVE_INFINITY)
    const dayOf = (ms: number) => businessDay(new Date(ms), access.jurisdiction.zone)
    if (!access.authority.pull) return { kind: 'pulled', references: [] }
    const answer = await access.authority.pull({ from: dayOf(back), to: dayOf(now.getTime() + day) }, inTime())
    return answer.kind === 'pulled'
      ? { kind: 'pulled', references: answer.references.map((reference) => reference.toUpperCase()) }
      : { kind: 'failed', error: couldNotRead(answer.why) }
  },
  async ({ tx, now }: Inside<SystemCaller>, feed, pulled): Promise<{ readonly isRead: boolean }> => {
    if (pulled.kind === 'gone') return { isRead: false }
    await saveFeedPolled(tx, feed, now, pulled.kind === 'failed' ? pulled.error : null)
    if (pulled.kind === 'failed') return { isRead: false }
    await insertReferences(tx, feed, pulled.references, now)
    return { isRead: true }
  },
)

export const findOpenReferences = reading(
  ours,
  ({ db, now }: Outside<SystemCaller>, feed: Feed): Promise<OpenReference[]> =>
    listOpenReferences(db, feed, now, fetchedAtOnce),
)

interface ReferenceOfFeed extends OpenReference {
  readonly feed: Feed
}

/** Saves the result for a reference. A document goes to its receivers, everything else is retried later. */
export async function takeIn(
  context: Inside<SystemCaller>,
  feed: Feed,
  { reference, tries }: OpenReference,
  fetched: FetchedDocument | FetchFailure,
): Promise<void> {
  const { tx, now } = context
  if (fetched.kind !== 'fetched') {
    const problem = fetched.kind === 'unclear' ? null : fetched.why
    await saveReferenceLater(tx, feed, reference, { dueAt: nextTry(now, tries), problem, now })
    if (fetched.countsAgainstHealth || fetched.kind === 'unreadable')
      await saveFeedError(tx, feed, couldNotRead(fetched.why))
    return
  }
  const { copy } = fetched
  const buyer = isAddressed(copy) ? copy.buyer.taxIdNormal : null
  await saveReferenceDone(tx, feed, reference, buyer, now)
  // A document for nobody here is kept as a reference with its buyer's number only: that buyer may connect later.
  if (buyer === null) return
  for (const tenant of await receiversOf(context, feed, buyer)) await arrive(context, tenant, fetched)
}

export const receiversOf = ({ tx }: Pick<Inside<SystemCaller>, 'tx'>, feed: Feed, buyer: string): Promise<Tenant[]> =>
  listConnectedUnder(tx, { ...feed, connectionId: connectionIn(feed) }, buyer)

type ConnectionInUse = Parameters<typeof listConnectedUnder>[1]['connectionId']
const connectionIn = ({ access }: Feed): ConnectionInUse =>
  access === installation ? null : (access as NonNullable<ConnectionInUse>)

export const fetchReference = preparedOperation(
  ours,
  async (context: Outside<SystemCaller>, { feed, reference }: ReferenceOfFeed) => {
    const access = await openAuthority(context, feed, 'authorityForWork')
    return access?.authority && (await fetchDocument({ ...access, authority: access.authority }, reference))
  },
  async (context: Inside<SystemCaller>, { feed, ...open }, fetched): Promise<{ readonly isAway: boolean }> => {
    if (!fetched) return { isAway: true }
    await takeIn(context, feed, open, fetched)
    return { isAway: fetched.kind !== 'fetched' && fetched.countsAgainstHealth }
  },
)

/** Saves why a document could not be processed. The next attempt follows at a growing interval. */
export const setReferenceAside = operation(
  ours,
  (
    { tx, now }: Inside<SystemCaller>,
    { feed, reference, tries, problem }: ReferenceOfFeed & { readonly problem: string },
  ) => saveReferenceLater(tx, feed, reference, { dueAt: nextTry(now, tries), problem, now }),
)

/** Enqueues a read of a feed. If one is running, another follows it. */
export const askForFeed = operation(ours, async ({ enqueue }: Inside<SystemCaller>, feed: Feed) =>
  enqueue(followFeedJob, feed, { key: keyOfFeed(feed) }),
)

const servedAtOnce = 1_000

/** Enqueues a read of every feed, and all jobs that are due. */
export const askForFeeds = operation(ours, async ({ tx, enqueue, now }: Inside<SystemCaller>, _: undefined) => {
  for (const { country, mode, connectionId, organisationId } of await listKeysInUse(tx)) {
    const feed: Feed =
      connectionId === null || organisationId === null
        ? { country, mode, access: installation }
        : { country, mode, access: connectionId, organisationId }
    enqueue(followFeedJob, feed, { key: keyOfFeed(feed) })
  }
  for (const tenant of await listTenantsToServe(tx, now, servedAtOnce))
    enqueue(receiveInvoicesJob, tenant, { key: keyOfTenant(tenant) })
  for (const tenant of await listTenantsToAcknowledge(tx, now, servedAtOnce))
    enqueue(acknowledgeInvoicesJob, tenant, { key: keyOfTenant(tenant) })
  for (const tenant of await listTenantsWithPayments(tx, now, servedAtOnce))
    enqueue(checkPaymentsJob, tenant, { key: keyOfTenant(tenant) })
})

/** After a tenant connects, looks for documents sent to it before. */
export const welcomeReceiver = operation(
  ours,
  async ({ tx, enqueue, realNow: now }: Inside<SystemCaller>, tenant: Tenant) => {
    const connection = await findConnectionInCountry(tx, tenant)
    if (!connection || !isConnected(connection)) return
    const feed = feedOf(connection.country, { tenant }, connection)
    await saveReachBack(tx, feed, new Date(now.getTime() - firstReachMs))
    if (connection.taxIdNormal !== null) await reopenReferences(tx, feed, connection.taxIdNormal, now)
    enqueue(followFeedJob, feed, { key: keyOfFeed(feed) })
  },
)

/** A callback proves nothing, so the authority is asked. */
export const handleNotification = operation(
  ours,
  async ({ tx, enqueue, now, settings }: Inside<SystemCaller>, { country, mode }: Pick<Feed, 'country' | 'mode'>) => {
    const feed: Feed = { country, mode, access: installation }
    const restMs = settings.feedRestMs
    const feedState = await findFeed(tx, feed)
    if (!feedState) return
    const restLeft = (feedState.triedAt?.getTime() ?? 0) + restMs - now.getTime()
    enqueue(followFeedJob, feed, {
      key: keyOfFeed(feed),
      ...(restLeft > 0 ? { dueAt: new Date(Date.now() + Math.min(restLeft, restMs)) } : {}),
    })
  },
)
