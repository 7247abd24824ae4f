import { systemCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { callInBatches } from '../../../platform/background/call-in-batches.ts'
import { everyMinutes, handler, scheduled } from '../../../platform/background/handlers.ts'
import { isConnectionFailure, refusalCodeOf } from '../../../platform/database/database.ts'
import { failureReason } from '../../../platform/failure-reason.ts'
import { attemptsAt, type Watch } from '../../../platform/jobs/failing-items.ts'
import type { AnyOperation } from '../../../platform/operations/operation.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import {
  acknowledgeInvoicesJob,
  checkPaymentsJob,
  followFeedJob,
  followNewcomerJob,
  receiveInvoicesJob,
} from '../feeds/feed.ts'
import { askToCheckPayments, checkPayment, checkPaymentLater, findPaymentsToCheck } from './check-payment.ts'
import {
  askForFeed,
  askForFeeds,
  fetchReference,
  findOpenReferences,
  pollFeed,
  setReferenceAside,
  welcomeReceiver,
} from './follow-feed.ts'
import {
  acknowledgeLater,
  acknowledgeReceived,
  askToAcknowledge,
  askToReceive,
  dropArrivals,
  findArrivals,
  findToAcknowledge,
  keepArrival,
  setArrivalAside,
} from './receive-invoices.ts'

const caller = systemCaller
const origin = { requestId: 'follow-feeds', address: '', userAgent: '' }
const acting =
  (runner: Runner) =>
  <Input, Output>(operation: AnyOperation<typeof systemCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller, origin, input })

/** The reason that is stored and shown: contains nothing of the document. */
const problemOf = (error: unknown): string => {
  const code = refusalCodeOf(error)
  return code === undefined ? `it failed (${failureReason(error)})` : `the database refused it (${code})`
}

/**
 * Runs one item. A failing item is set aside with the reason, so that the others continue. Throws without a database, and if the item
 * cannot be set aside.
 */
async function orSetAside<Done>(
  { log }: Watch,
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

/**
 * Like `orSetAside` for items without a column for the reason: they are retried later, and the error is thrown so that `attemptsAt` records
 * it.
 */
async function orLater(work: () => Promise<unknown>, putOff: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isConnectionFailure(error)) await putOff()
    throw error
  }
}

/** Every minute, whether or not callbacks arrive. */
export const followEveryFeed = (runner: Runner) =>
  scheduled('follow-feeds', everyMinutes(1), () => acting(runner)(askForFeeds, undefined))

export const followOneFeed = (runtime: Runtime, runner: Runner) =>
  handler(followFeedJob, async (feed) => {
    const act = acting(runner)
    const { isRead } = await act(pollFeed, feed)
    if (!isRead) return
    const open = await act(findOpenReferences, feed)
    const attempt = await attemptsAt(runtime, 'received.not_fetched')
    let done = 0
    await callInBatches(open, async (reference) => {
      const what = { feed, ...reference }
      let isAway = false
      const isDone = await attempt({ mode: feed.mode, id: reference.reference }, async () => {
        const fetched = await orSetAside(
          runtime,
          { country: feed.country, mode: feed.mode, reference: reference.reference },
          () => act(fetchReference, what),
          (problem) => act(setReferenceAside, { ...what, problem }),
        )
        isAway = fetched?.isAway ?? false
      })
      if (isDone) done++
      return !isAway
    })
    const left = await act(findOpenReferences, feed)
    // Items that cannot even be set aside are left for the next minute.
    if (left.length > 0 && done > 0) await act(askForFeed, feed)
  })

export const followNewcomer = (runner: Runner) =>
  handler(followNewcomerJob, async ({ organisationId, mode }) => {
    if (mode !== null) await acting(runner)(welcomeReceiver, { organisationId, mode })
  })

const tenantOf = ({ organisationId, mode }: Tenant): Tenant => ({ organisationId, mode })

/** Runs the items one after the other; a failure of one does not stop the others. Failures are recorded under this name. */
async function each<What extends { readonly reference: string }>(
  watch: Watch,
  problem: string,
  tenant: Tenant,
  pieces: readonly What[],
  work: (what: What) => Promise<unknown>,
): Promise<void> {
  if (pieces.length === 0) return
  const attempt = await attemptsAt(watch, problem)
  await callInBatches(pieces, async (what) => {
    await attempt({ ...tenant, id: what.reference }, () => work(what))
    return true
  })
}

export const receiveForTenant = (runtime: Runtime, runner: Runner) =>
  handler(receiveInvoicesJob, async (whose) => {
    const act = acting(runner)
    const tenant = tenantOf(whose)
    const { feed, items, isFull } = await act(findArrivals, tenant)
    if (!feed) return await act(dropArrivals, tenant)
    await each(runtime, 'received.not_stored', tenant, items, (what) =>
      orSetAside(
        runtime,
        { ...tenant, reference: what.reference },
        () => act(keepArrival, { tenant, feed, what }),
        (problem) => act(setArrivalAside, { tenant, feed, what, problem }),
      ),
    )
    if (isFull) await act(askToReceive, tenant)
  })

export const acknowledgeForTenant = (runtime: Runtime, runner: Runner) =>
  handler(acknowledgeInvoicesJob, async (whose) => {
    const act = acting(runner)
    const tenant = tenantOf(whose)
    const { feed, items, isFull } = await act(findToAcknowledge, tenant)
    if (!feed) return
    await each(runtime, 'received.not_acknowledged', tenant, items, (what) =>
      orLater(
        () => act(acknowledgeReceived, { tenant, feed, what }),
        () => act(acknowledgeLater, { tenant, feed, what }),
      ),
    )
    if (isFull) await act(askToAcknowledge, tenant)
  })

export const checkPaymentsOfTenant = (runtime: Runtime, runner: Runner) =>
  handler(checkPaymentsJob, async (whose) => {
    const act = acting(runner)
    const tenant = tenantOf(whose)
    const { feed, items, isFull } = await act(findPaymentsToCheck, tenant)
    await each(runtime, 'received.payment_not_checked', tenant, items, (what) =>
      orLater(
        // A disconnected organisation may connect again: its documents wait for a later check.
        () => (feed ? act(checkPayment, { tenant, feed, what }) : act(checkPaymentLater, { tenant, what })),
        () => act(checkPaymentLater, { tenant, what }),
      ),
    )
    if (isFull) await act(askToCheckPayments, tenant)
  })
