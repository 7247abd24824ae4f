import { systemCaller } from '../kernel/callers.ts'
import type { Tenant } from '../kernel/tenant.ts'
import {
  acknowledgeInvoicesJob,
  acknowledgeLater,
  acknowledgeReceived,
  askForFeed,
  askForFeeds,
  askToAcknowledge,
  askToCheckPayments,
  askToReceive,
  checkPayment,
  checkPaymentLater,
  checkPaymentsJob,
  dropArrivals,
  fetchReference,
  findArrivals,
  findOpenReferences,
  findPaymentsToCheck,
  findToAcknowledge,
  followFeedJob,
  followNewcomerJob,
  keepArrival,
  pollFeed,
  receiveInvoicesJob,
  setArrivalAside,
  setReferenceAside,
  welcomeReceiver,
} from '../modules/received-invoices/index.ts'
import { isConnectionFailure, refusalCodeOf } from '../platform/database/database.ts'
import { failureReason } from '../platform/failure-reason.ts'
import type { AnyOperation } from '../platform/operations/operation.ts'
import type { Machine, Runner } from '../platform/operations/runner.ts'
import { handler, job } from '../platform/work/jobs.ts'
import { afewAtATime } from './a-few-at-a-time.ts'

const caller = systemCaller
const origin = { requestId: 'follow-feeds', address: '', userAgent: '' }
const acting =
  (runner: Runner) =>
  <Input, Output>(operation: AnyOperation<typeof systemCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller, origin, input })

type Logging = Pick<Machine, 'log'>

/** What is kept as the reason, and shown: nothing of the document is in it. */
const problemOf = (error: unknown): string => {
  const code = refusalCodeOf(error)
  return code === undefined ? `it failed (${failureReason(error)})` : `the database refused it (${code})`
}

/**
 * Does one piece of work. If it fails, the piece is set aside, so that the others go on. Without a database, or where not even that can
 * be noted, the whole job fails and is tried again.
 */
async function orSetAside<Done>(
  { log }: Logging,
  about: Readonly<Record<string, unknown>>,
  work: () => Promise<Done>,
  setAside: (problem: string) => Promise<void>,
): Promise<Done | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isConnectionFailure(error)) throw error
    await setAside(problemOf(error))
    log.error('received.set_aside', { ...about, error })
    return undefined
  }
}

export const followFeedsJob = job<object>('follow-feeds', 'upkeep', { maxAttempts: 1 })

/** Every minute, whatever callbacks say or do not say. */
export const followEveryFeed = (runner: Runner) =>
  handler(followFeedsJob, () => acting(runner)(askForFeeds, undefined), '* * * * *')

export const followOneFeed = (machine: Logging, runner: Runner) =>
  handler(followFeedJob, async (feed) => {
    const act = acting(runner)
    const { isRead } = await act(pollFeed, feed)
    if (!isRead) return
    const open = await act(findOpenReferences, feed)
    await afewAtATime(open, async (reference) => {
      const what = { feed, ...reference }
      const fetched = await orSetAside(
        machine,
        { country: feed.country, mode: feed.mode, reference: reference.reference },
        () => act(fetchReference, what),
        (problem) => act(setReferenceAside, { ...what, problem }),
      )
      return !fetched?.isAway
    })
    const left = await act(findOpenReferences, feed)
    if (left.length > 0 && open.length > 0) await act(askForFeed, feed)
  })

export const followNewcomer = (runner: Runner) =>
  handler(followNewcomerJob, async ({ organisationId, mode }) => {
    if (mode !== null) await acting(runner)(welcomeReceiver, { organisationId, mode })
  })

const tenantOf = ({ organisationId, mode }: Tenant): Tenant => ({ organisationId, mode })

/** One piece after the other, each by itself: whatever becomes of one, the others are done. */
const each = <What extends { readonly reference: string }>(
  machine: Logging,
  tenant: Tenant,
  pieces: readonly What[],
  work: (what: What) => Promise<unknown>,
  setAside: (what: What, problem: string) => Promise<void>,
): Promise<void> =>
  afewAtATime(pieces, async (what) => {
    const about = { ...tenant, reference: what.reference }
    await orSetAside(
      machine,
      about,
      () => work(what),
      (problem) => setAside(what, problem),
    )
    return true
  })

export const receiveForTenant = (machine: Logging, runner: Runner) =>
  handler(receiveInvoicesJob, async (whose) => {
    const act = acting(runner)
    const tenant = tenantOf(whose)
    const { feed, items, isFull } = await act(findArrivals, tenant)
    if (!feed) return await act(dropArrivals, tenant)
    await each(
      machine,
      tenant,
      items,
      (what) => act(keepArrival, { tenant, feed, what }),
      (what, problem) => act(setArrivalAside, { tenant, feed, what, problem }),
    )
    if (isFull) await act(askToReceive, tenant)
  })

export const acknowledgeForTenant = (machine: Logging, runner: Runner) =>
  handler(acknowledgeInvoicesJob, async (whose) => {
    const act = acting(runner)
    const tenant = tenantOf(whose)
    const { feed, items, isFull } = await act(findToAcknowledge, tenant)
    if (!feed) return
    await each(
      machine,
      tenant,
      items,
      (what) => act(acknowledgeReceived, { tenant, feed, what }),
      (what) => act(acknowledgeLater, { tenant, feed, what }),
    )
    if (isFull) await act(askToAcknowledge, tenant)
  })

export const checkPaymentsOfTenant = (machine: Logging, runner: Runner) =>
  handler(checkPaymentsJob, async (whose) => {
    const act = acting(runner)
    const tenant = tenantOf(whose)
    const { feed, items, isFull } = await act(findPaymentsToCheck, tenant)
    await each(
      machine,
      tenant,
      items,
      // Whoever is not connected may come back: their documents wait for a later check.
      (what) => (feed ? act(checkPayment, { tenant, feed, what }) : act(checkPaymentLater, { tenant, what })),
      (what) => act(checkPaymentLater, { tenant, what }),
    )
    if (isFull) await act(askToCheckPayments, tenant)
  })
